// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.interop.ClassTags;
import io.crail.spark.sort.FixedSizeInstance;
import java.io.ByteArrayOutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;

/**
 * The bytes of one record at a time, of a serialiser whose records may change places. Belongs to
 * the thread of the task.
 */
abstract sealed class RecordBytes implements AutoCloseable {
    /** By the serialiser of a shuffle. */
    static RecordBytes of(SerializerInstance serializer) {
        return serializer instanceof FixedSizeInstance<?, ?> fixed
                ? new FixedSize(fixed)
                : new Streamed(serializer);
    }

    /** Serialises a record in place of the one before. */
    abstract void set(Object key, Object value);

    /** Its bytes, from 0 to the length; good until the next record. */
    abstract byte[] array();

    abstract int length();

    @Override
    public abstract void close();

    /** By one stream of the serialiser. */
    private static final class Streamed extends RecordBytes {
        private final Bytes bytes = new Bytes();
        private final SerializationStream stream;

        Streamed(SerializerInstance serializer) {
            stream = serializer.serializeStream(bytes);
            stream.flush();
        }

        @Override
        void set(Object key, Object value) {
            bytes.clear();
            stream.writeKey(key, ClassTags.any());
            stream.writeValue(value, ClassTags.any());
            stream.flush();
        }

        @Override
        byte[] array() {
            return bytes.array();
        }

        @Override
        int length() {
            return bytes.size();
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    /** Without a stream. */
    private static final class FixedSize extends RecordBytes {
        private final FixedSizeInstance<?, ?> serializer;
        private final byte[] bytes;

        FixedSize(FixedSizeInstance<?, ?> serializer) {
            this.serializer = serializer;
            this.bytes = new byte[serializer.recordLength()];
        }

        @Override
        void set(Object key, Object value) {
            serializer.write(key, value, bytes);
        }

        @Override
        byte[] array() {
            return bytes;
        }

        @Override
        int length() {
            return bytes.length;
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    }

    /** Looked at in place. */
    private static final class Bytes extends ByteArrayOutputStream {
        private static final int FIRST = 4096;
        private static final int USUAL = 1 << 20;

        Bytes() {
            super(FIRST);
        }

        byte[] array() {
            return buf;
        }

        /** Does not keep the memory of one huge record for all that follow. */
        void clear() {
            reset();
            if (buf.length > USUAL) {
                buf = new byte[FIRST];
            }
        }
    }
}
