// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Engine;
import io.crail.client.file.StreamReader;
import io.crail.error.CancelledException;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.TimeoutException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A stream over an open file of a connected client. */
final class ConnectedInputStream extends CrailInputStream {
    /** What has been called off ends in microseconds; nobody hangs if it does not. */
    private static final long CALLED_OFF_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Engine engine;
    private final StreamReader reader;
    private final byte[] one = new byte[1];
    private boolean closed;

    ConnectedInputStream(Engine engine, StreamReader reader) {
        this.engine = engine;
        this.reader = reader;
    }

    @Override
    public int read() throws CrailException {
        int read = read(ByteBuffer.wrap(one));
        return read < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws CrailException {
        Objects.checkFromIndexSize(offset, length, target.length);
        return read(ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public int read(ByteBuffer target) throws CrailException {
        if (!target.hasRemaining()) {
            return 0;
        }
        reader.strand().enter();
        try {
            checkOpen();
            int read = reader.poll(target);
            while (read == 0) {
                await();
                read = reader.poll(target);
            }
            int total = read;
            // Bytes that were copied must not be lost to an error behind them.
            while (target.hasRemaining() && reader.available() > 0) {
                total += reader.poll(target);
            }
            return total;
        } finally {
            reader.strand().exit();
        }
    }

    private void await() throws CrailException {
        String what = "read " + reader.file().path() + " at " + reader.position();
        Engine.Outcome outcome =
                engine.await(reader.strand(), reader::isReady, reader.timeoutNanos(), true);
        if (outcome == Engine.Outcome.TIMED_OUT) {
            if (!reader.timeOut()) {
                throw new TimeoutException(
                        what
                                + " did not finish within its deadline; the buffer pool may be"
                                + " exhausted: raise bufferPoolBytes or close streams");
            }
            // Another thread may have called it off just before, and be about to say why.
            outcome = engine.await(reader.strand(), reader::isReady, CALLED_OFF_NANOS, true);
            if (outcome == Engine.Outcome.TIMED_OUT) {
                throw new TimeoutException(what + " did not finish within its deadline");
            }
        }
        if (outcome == Engine.Outcome.INTERRUPTED) {
            throw new CancelledException(what + " was interrupted");
        }
    }

    @Override
    public long position() {
        return reader.position();
    }

    @Override
    public void seek(long position) throws IOException {
        reader.strand().enter();
        try {
            checkOpen();
            if (position < 0) {
                throw new InvalidArgumentException(
                        reader.file().path() + ": negative position " + position);
            }
            if (position > reader.file().length()) {
                throw new EOFException(
                        reader.file().path()
                                + " has "
                                + reader.file().length()
                                + " bytes; cannot seek to "
                                + position);
            }
            reader.seek(position);
        } finally {
            reader.strand().exit();
        }
    }

    @Override
    public long skip(long bytes) throws CrailException {
        reader.strand().enter();
        try {
            checkOpen();
            long left = reader.file().length() - reader.position();
            long skipped = Math.max(0, Math.min(bytes, left));
            reader.seek(reader.position() + skipped);
            return skipped;
        } finally {
            reader.strand().exit();
        }
    }

    @Override
    public int available() throws CrailException {
        reader.strand().enter();
        try {
            checkOpen();
            return reader.available();
        } finally {
            reader.strand().exit();
        }
    }

    private void checkOpen() throws ClosedException {
        if (closed) {
            throw new ClosedException("the stream over " + reader.file().path() + " is closed");
        }
    }

    @Override
    public void close() throws CrailException {
        reader.strand().enter();
        try {
            closed = true;
            reader.close();
        } finally {
            reader.strand().exit();
        }
    }
}
