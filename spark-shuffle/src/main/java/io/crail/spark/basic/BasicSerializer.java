// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.basic;

import org.apache.spark.ShuffleDependency;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;

/**
 * Takes the place of Kryo in shuffles whose keys and values are primitives, strings, or arrays of
 * primitives ({@link BasicTypes}). Thread-safe.
 *
 * <p>Spark takes Kryo for them by itself. It collects each object in a buffer of its own, on either
 * side, looks its class up, and has 400 classes to load, and code to compile, before the first
 * record of an executor has come through. Here an object is a byte that says what it is, and its
 * bytes: a value of 4 KiB is copied once, into the buffer of its partition, and once out of memory
 * of the store.
 *
 * <p>Both ends tell by the types that the shuffle was made with, so that nothing has to be agreed
 * upon. An object that is of another type in spite of these goes by Kryo, and comes back as it was.
 */
public final class BasicSerializer extends Serializer {
    private final Serializer others;

    /**
     * For records of basic types.
     *
     * @param others serialises what is of another type; used for nothing else
     */
    public BasicSerializer(Serializer others) {
        this.others = others;
    }

    /**
     * Whether it can take the place of the serialiser of a shuffle: heirs of Kryo may do what they
     * like, so they are left alone.
     */
    public static boolean fits(ShuffleDependency<?, ?, ?> dependency) {
        return dependency.serializer().getClass() == KryoSerializer.class
                && BasicTypes.isOne(dependency.keyClassName())
                && BasicTypes.isOne(valueClass(dependency));
    }

    /** Of what is written: combiners, where maps combine. */
    private static String valueClass(ShuffleDependency<?, ?, ?> dependency) {
        return dependency.mapSideCombine()
                ? dependency.combinerClassName().getOrElse(() -> "")
                : dependency.valueClassName();
    }

    @Override
    public SerializerInstance newInstance() {
        return new BasicInstance(others);
    }

    @Override
    public boolean supportsRelocationOfSerializedObjects() {
        return true;
    }
}
