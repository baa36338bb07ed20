// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import io.crail.client.CrailFile;
import io.crail.client.CrailFuture;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.spark.store.DirectBuffers;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file from its beginning by two buffers, one of which is under way. Many are open at a
 * time, so it has its own small ones; a stream of the client would take large ones from a pool.
 * Belongs to one thread.
 */
final class SpillInput extends InputStream {
    /** Bytes of its two buffers. */
    static final int MEMORY = 256 << 10;

    private final CrailFile file;
    private final DirectBuffers buffers;
    private final long length;
    private final byte[] one = new byte[1];
    private ByteBuffer current;
    private @Nullable ByteBuffer next;
    private @Nullable CrailFuture<Integer> reading;

    /** Bytes that have been asked for. */
    private long asked;

    private boolean closed;

    /**
     * A stream.
     *
     * @param file is closed along with it
     */
    SpillInput(CrailFile file, DirectBuffers buffers) {
        this.file = file;
        this.buffers = buffers;
        this.length = file.length();
        this.current = buffers.take(MEMORY / 2).limit(0);
        ask(buffers.take(MEMORY / 2));
    }

    private void ask(ByteBuffer buffer) {
        // The read moves the position of the buffer, maybe before the call returns.
        int some = (int) Math.min(buffer.capacity(), length - asked);
        buffer.clear().limit(some);
        next = buffer;
        reading = some > 0 ? file.readAsync(asked, buffer) : null;
        asked += some;
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int bytes) throws IOException {
        if (bytes == 0) {
            return 0;
        }
        if (!current.hasRemaining() && !goOn()) {
            return -1;
        }
        int some = Math.min(bytes, current.remaining());
        current.get(target, offset, some);
        return some;
    }

    private boolean goOn() throws IOException {
        CrailFuture<Integer> awaited = reading;
        ByteBuffer arriving = next;
        if (awaited == null || arriving == null) {
            return false;
        }
        try {
            awaited.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("the task was interrupted while it read its spill")
                            .initCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CrailException cause) {
                throw CrailException.of(cause.code(), String.valueOf(cause.getMessage()), cause);
            }
            throw new InternalException("what was spilled cannot be read: " + e, e);
        }
        ByteBuffer used = current;
        current = arriving.flip();
        ask(used);
        return true;
    }

    @Override
    public int available() {
        return current.remaining();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        CrailFuture<Integer> underWay = reading;
        if (underWay != null) {
            // When it returns, the client does not touch the buffer any more.
            underWay.cancel(true);
        }
        reading = null;
        buffers.give(current);
        current = ByteBuffer.allocate(0);
        ByteBuffer other = next;
        next = null;
        if (other != null) {
            buffers.give(other);
        }
        file.close();
    }
}
