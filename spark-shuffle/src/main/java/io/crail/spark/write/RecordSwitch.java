// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.interop.ClassTags;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;

/**
 * One stream of a serialiser whose records may change places, whose records go to a stream each.
 * Belongs to the thread of the task.
 */
final class RecordSwitch implements AutoCloseable {
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

    private final Switched switched = new Switched();
    private final SerializationStream stream;

    RecordSwitch(SerializerInstance serializer) {
        stream = serializer.serializeStream(switched);
        stream.flush();
    }

    /** Serialises a record into a stream. */
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
