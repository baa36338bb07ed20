// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import java.time.Duration;
import java.util.List;

/**
 * Reads the records of a STREAM in order, from a place of its own. Thread-safe; each record is
 * handed out once. Reads ahead, a bounded number of bytes; every record is verified.
 *
 * <p>A reader that is slower than retention gets {@link io.crail.error.OffsetOutOfRangeException},
 * which names the first record that is still there; {@link #seek} goes there. After any other error
 * the next call tries again.
 */
public interface StreamReader extends AutoCloseable {
    /** Offset of the record that comes next. */
    long position();

    /** Goes to another record; it need not exist yet. */
    void seek(long offset);

    /**
     * The next records: those that are there, at most {@code maxRecords}; if there is none, the
     * first that come within {@code wait}. Empty if none came.
     *
     * @throws io.crail.error.OffsetOutOfRangeException if the next record was removed, or lies
     *     behind the next one to be appended
     * @throws io.crail.error.CorruptDataException if it is damaged; {@code seek(position() + 1)}
     *     goes on behind it
     */
    List<StreamRecord> poll(int maxRecords, Duration wait) throws CrailException;

    CrailFuture<List<StreamRecord>> pollAsync(int maxRecords, Duration wait);

    /** Ends polls under way with {@link io.crail.error.ClosedException}. Idempotent. */
    @Override
    void close();
}
