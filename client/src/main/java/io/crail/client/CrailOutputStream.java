// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Appends to a FILE. There is one writer at a time; bytes become visible to readers at {@link
 * #sync} and {@link #close}.
 *
 * <p>Small writes are collected in a pooled buffer; {@link #append} hands the caller's buffer on as
 * it is when it is direct. Several blocks are under way at a time.
 *
 * <p>The namenode bounds the blocks that may wait for a commit, so a file that grows by more than a
 * thousand blocks without a sync is committed on the way, and readers may see its beginning.
 *
 * <p>A failed data operation fails the stream: all later calls throw {@link
 * io.crail.error.StreamFailedException} or the first error, nothing behind the failed bytes is ever
 * committed, and {@link #close} gives the lease back (a file that this stream created and that has
 * no committed bytes is removed) and throws.
 *
 * <p>Thread-safe in the sense that calls exclude each other.
 */
public abstract class CrailOutputStream extends OutputStream {
    CrailOutputStream() {}

    @Override
    public abstract void write(int b) throws CrailException;

    @Override
    public void write(byte[] bytes) throws CrailException {
        write(bytes, 0, bytes.length);
    }

    @Override
    public abstract void write(byte[] bytes, int offset, int length) throws CrailException;

    /**
     * Appends the remaining bytes; returns when they have been sent or copied, so that the caller
     * may reuse the buffer. The position moves to the limit.
     */
    public abstract void append(ByteBuffer source) throws CrailException;

    /**
     * Appends the remaining bytes; the buffer belongs to the stream until the future is done, which
     * means that the bytes are at the storage server. They are not visible yet: see {@link #sync}.
     */
    public abstract CrailFuture<Void> appendAsync(ByteBuffer source);

    /** Hands on what is collected; does not make it visible. */
    @Override
    public abstract void flush() throws CrailException;

    /** Makes all bytes written so far visible to everybody; returns when they are. */
    public abstract NodeStatus sync() throws CrailException;

    public abstract CrailFuture<NodeStatus> syncAsync();

    /** Bytes of the file including what this stream has taken so far. */
    public abstract long position();

    /** Length that readers see, as far as this stream knows. */
    public abstract long committedLength();

    /** Path the file was opened by. */
    public abstract String path();

    /** Sets the deadline of later calls on this stream. */
    public abstract void setDeadline(Duration deadline);

    /** Gives the lease back without committing anything more. Does not throw; idempotent. */
    public abstract void abort();

    /** Commits everything and gives the lease back. Idempotent. */
    @Override
    public abstract void close() throws CrailException;

    public abstract CrailFuture<NodeStatus> closeAsync();
}
