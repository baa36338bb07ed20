// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.interop.ClassTags;
import io.crail.spark.sort.FixedSizeInstance;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;

/**
 * One serialiser whose records may change places, and whose records go to a stream each. Belongs to
 * the thread of the task.
 */
abstract sealed class RecordSwitch implements AutoCloseable {
    /** By the serialiser of a shuffle. */
    static RecordSwitch of(SerializerInstance serializer) {
        return serializer instanceof FixedSizeInstance<?, ?>
                ? new Whole(RecordBytes.of(serializer))
                : new Streamed(serializer);
    }

    /** Serialises a record into a stream. */
    abstract void write(Object key, Object value, OutputStream target) throws IOException;

    @Override
    public abstract void close();

    /** By one stream of the serialiser, of which each record goes elsewhere. */
    private static final class Streamed extends RecordSwitch {
        private final Switched switched = new Switched();
        private final SerializationStream stream;

        Streamed(SerializerInstance serializer) {
            stream = serializer.serializeStream(switched);
            stream.flush();
        }

        @Override
        void write(Object key, Object value, OutputStream target) {
            switched.target = target;
            stream.writeKey(key, ClassTags.any());
            stream.writeValue(value, ClassTags.any());
            stream.flush();
        }

        @Override
        public void close() {
            switched.target = OutputStream.nullOutputStream();
            stream.close();
        }
    }

    /** Where the record goes. A flush ends there, or compressors would begin anew each time. */
    private static final class Switched extends OutputStream {
        private OutputStream target = OutputStream.nullOutputStream();

        @Override
        public void write(int b) throws IOException {
            target.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            target.write(bytes, offset, length);
        }
    }

    /** A record at a time, where that is known to be small. */
    private static final class Whole extends RecordSwitch {
        private final RecordBytes bytes;

        Whole(RecordBytes bytes) {
            this.bytes = bytes;
        }

        @Override
        void write(Object key, Object value, OutputStream target) throws IOException {
            bytes.set(key, value);
            target.write(bytes.array(), 0, bytes.length());
        }

        @Override
        public void close() {
            bytes.close();
        }
    }
}
