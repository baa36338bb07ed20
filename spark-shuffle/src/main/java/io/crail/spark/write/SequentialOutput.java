// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.frame.FrameSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes partitions one after the other: fills buffers and appends them while the next is filled.
 * Closing the stream of a partition does not close it. Belongs to the thread of the task.
 */
final class SequentialOutput extends OutputStream implements FrameSink {
    private final OutputFile file;
    private final int bufferSize;
    private @Nullable ByteBuffer buffer;

    SequentialOutput(OutputFile file, int bufferSize) {
        this.file = file;
        this.bufferSize = bufferSize;
    }

    /** Position in the file of the next byte. */
    long position() {
        return file.position() + (buffer == null ? 0 : buffer.position());
    }

    @Override
    public void write(int b) throws IOException {
        room().put((byte) b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            ByteBuffer target = room();
            int some = Math.min(target.remaining(), length - done);
            target.put(bytes, offset + done, some);
            done += some;
        }
    }

    @Override
    public ByteBuffer room() throws IOException {
        ByteBuffer present = buffer;
        if (present != null && present.hasRemaining()) {
            return present;
        }
        writeOut();
        ByteBuffer fresh = file.take(bufferSize);
        buffer = fresh;
        return fresh;
    }

    /** Appends what is collected. */
    void writeOut() throws IOException {
        ByteBuffer full = buffer;
        if (full != null && full.position() > 0) {
            buffer = null;
            file.append(full);
        }
    }

    /** Gives the buffer back. Idempotent. */
    void discard() {
        ByteBuffer left = buffer;
        buffer = null;
        if (left != null) {
            file.give(left);
        }
    }
}
