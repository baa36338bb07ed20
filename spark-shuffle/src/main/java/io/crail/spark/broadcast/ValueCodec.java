// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.spark.basic.PrimitiveArrays;
import java.io.IOException;
import java.io.NotSerializableException;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializationDebugger;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import scala.reflect.ClassTag;

/**
 * Makes chunks of a value, and the value of chunks, with the serialiser of the application ({@code
 * spark.serializer}). Java's is ours, which keeps large arrays apart; it also writes what are
 * nothing but arrays of primitives, which every serialiser gives back alike. Thread-safe.
 */
final class ValueCodec {
    private final Serializer serializer;
    private final boolean debug;

    ValueCodec(SparkEnv env) {
        this.serializer = env.serializer();
        this.debug = env.conf().getBoolean("spark.serializer.extraDebugInfo", true);
    }

    /** Whether a value is written by Java's serialisation. */
    boolean writesJava(Object value) {
        return serializer.getClass() == JavaSerializer.class || PrimitiveArrays.isNested(value);
    }

    <T> void write(T value, ClassTag<T> tag, ChunkWriter out) throws IOException {
        if (writesJava(value)) {
            try (ArrayObjectOutput objects = new ArrayObjectOutput(out.objects(), out)) {
                objects.writeObject(value);
            } catch (NotSerializableException e) {
                throw debug ? SerializationDebugger.improveException(value, e) : e;
            }
        } else {
            try (SerializationStream objects =
                    serializer.newInstance().serializeStream(out.objects())) {
                SerializationStream unused = objects.writeObject(value, tag);
            }
        }
    }

    @SuppressWarnings("unchecked")
    <T> T read(StoredValue stored, ChunkReader in, ClassTag<T> tag) throws IOException {
        return stored.javaObjects() ? (T) readJava(in) : readOther(in, tag);
    }

    @SuppressWarnings("BanSerializableRead")
    private Object readJava(ChunkReader in) throws IOException {
        ClassLoader loader =
                serializer
                        .defaultClassLoader()
                        .getOrElse(() -> Thread.currentThread().getContextClassLoader());
        try (ArrayObjectInput objects = new ArrayObjectInput(in.objects(), in.arrays(), loader)) {
            return objects.readObject();
        } catch (ClassNotFoundException e) {
            throw new InternalException(
                    "a class of a broadcast is not among those of this executor: " + e.getMessage(),
                    e);
        }
    }

    private <T> T readOther(ChunkReader in, ClassTag<T> tag) throws IOException {
        try (DeserializationStream objects =
                serializer.newInstance().deserializeStream(in.objects())) {
            return objects.readObject(tag);
        } catch (RuntimeException e) {
            // Serialisers hide what went wrong below them.
            CrailException failure = in.failure();
            if (failure != null) {
                throw failure;
            }
            throw e;
        }
    }
}
