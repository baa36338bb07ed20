// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import java.nio.ByteBuffer;

/**
 * A STREAM: records of 0 bytes to 64 MiB, appended by many, read by all in one order, counted from
 * 0 without gaps.
 *
 * <p>Thread-safe: many threads may append to one handle, whose records keep the order of the calls;
 * what they append meanwhile is packed together. A record is appended once, whatever connection
 * breaks. When an append fails with {@link io.crail.error.TimeoutException} or {@link
 * io.crail.error.SessionExpiredException}, whether it took place is unknown.
 *
 * <p>The handle is of the node that had the path when it was got: when that is removed, calls fail
 * with {@link io.crail.error.NoSuchNodeException}, whatever is made in its place.
 */
public interface CrailStream extends AutoCloseable {
    /** Longest record, in bytes. */
    int MAX_RECORD = 64 << 20;

    /** Path the stream was found by. */
    String path();

    /**
     * Appends a record and waits until it is part of the stream.
     *
     * @param record from position to limit, which stay where they are
     * @return its offset
     * @throws io.crail.error.InvalidArgumentException if it is larger than {@link #MAX_RECORD}
     * @throws io.crail.error.OutOfSpaceException if no block can be had
     */
    long append(ByteBuffer record) throws CrailException;

    /** As {@link #append(ByteBuffer)}. */
    default long append(byte[] record) throws CrailException {
        return append(ByteBuffer.wrap(record));
    }

    /**
     * Appends a record; yields its offset. Waits while too much is queued (16 MiB, or 65,536
     * records), as long as the deadline permits.
     *
     * @param record belongs to the client until the future is done
     */
    CrailFuture<Long> appendAsync(ByteBuffer record);

    /**
     * Waits until all records appended so far through this handle are acknowledged.
     *
     * @throws CrailException the first failure since the last flush, if there was one
     */
    void flush() throws CrailException;

    /** A reader that begins at a record, which need not exist yet. */
    StreamReader reader(long offset);

    /** A reader that begins at the first record that is still there. */
    StreamReader readerFromEarliest() throws CrailException;

    /** A reader that begins at the next record to be appended. */
    StreamReader readerFromLatest() throws CrailException;

    /**
     * Removes all records before an offset.
     *
     * @return offset of the first record that is still there
     * @throws io.crail.error.OffsetOutOfRangeException if it lies behind the next record
     */
    long trim(long offset) throws CrailException;

    CrailFuture<Long> trimAsync(long offset);

    /** What the stream holds. */
    StreamInfo info() throws CrailException;

    CrailFuture<StreamInfo> infoAsync();

    /** Flushes and gives back what was granted. Readers stay open. Idempotent. */
    @Override
    void close() throws CrailException;
}
