// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.interop.ClassTags;
import java.io.ByteArrayOutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;

/**
 * The bytes of one record at a time, by one stream of a serialiser whose records may change places.
 * Belongs to the thread of the task.
 */
final class RecordBytes implements AutoCloseable {
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

    private final Bytes bytes = new Bytes();
    private final SerializationStream stream;

    RecordBytes(SerializerInstance serializer) {
        stream = serializer.serializeStream(bytes);
        stream.flush();
    }

    /** Serialises a record in place of the one before. */
    void set(Object key, Object value) {
        bytes.clear();
        stream.writeKey(key, ClassTags.any());
        stream.writeValue(value, ClassTags.any());
        stream.flush();
    }

    /** Its bytes, from 0 to the length; good until the next record. */
    byte[] array() {
        return bytes.array();
    }

    int length() {
        return bytes.size();
    }

    @Override
    public void close() {
        stream.close();
    }
}
