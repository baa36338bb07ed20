// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.spark.basic.BasicSerializer;
import io.crail.spark.rows.RowSerializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The serialisers of shuffles, one for all tasks of this JVM whose own are the same. Thread-safe,
 * as serialisers are.
 *
 * <p>Each task gets a serialiser of its own with its shuffle. To make a Kryo costs it 1.5 ms when
 * all is compiled and ten times as much before; a serialiser keeps those that it has made for
 * whoever needs one next, but nobody needs that of a task again. Two are the same if they would be
 * sent by the same bytes, and classes are found by the same loader.
 */
public final class SharedSerializers {
    private static final int LIMIT = 32;

    /** What a Kryo depends on. */
    private record Key(ByteBuffer bytes, @Nullable ClassLoader loader) {}

    private final Map<Key, Serializer> shared =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Serializer> eldest) {
                    return size() > LIMIT;
                }
            };

    private final boolean basicTypes;

    /**
     * None yet.
     *
     * @param basicTypes whether records of basic types go without Kryo
     */
    SharedSerializers(boolean basicTypes) {
        this.basicTypes = basicTypes;
    }

    /** The one to use for a shuffle, for writing and for reading. */
    public Serializer of(ShuffleDependency<?, ?, ?> dependency) {
        Serializer serializer = dependency.serializer();
        return basicTypes && BasicSerializer.fits(dependency)
                ? new BasicSerializer(serializer)
                : sameAs(serializer);
    }

    /** The one to use in place of another one, which makes the same bytes. */
    public Serializer sameAs(Serializer serializer) {
        // Heirs may have what is not sent; others cost nothing to make.
        if (serializer.getClass() != KryoSerializer.class) {
            return RowSerializer.insteadOf(serializer);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
            objects.writeObject(serializer);
        } catch (IOException e) {
            // Has something that cannot be sent, so that nobody can tell whether it is the same.
            return serializer;
        }
        Key key =
                new Key(
                        ByteBuffer.wrap(bytes.toByteArray()),
                        Thread.currentThread().getContextClassLoader());
        synchronized (this) {
            return shared.computeIfAbsent(key, absent -> serializer);
        }
    }
}
