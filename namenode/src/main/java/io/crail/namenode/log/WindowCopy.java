// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies batches of records into mapped windows so that a kill in the middle leaves a torn tail,
 * and knows whether they have arrived.
 *
 * <p><b>Order.</b> Record by record: the stores of one are all before those of the next. A copy may
 * store its bytes in any order (that of the C library goes backwards at times), so in one copy of a
 * whole batch a kill could leave an intact record behind one that is not, which is what a
 * corruption looks like.
 *
 * <p><b>Arrival.</b> A store to a page that the system cannot provide (it was written to the disk
 * and cannot be read back, or the file system needs new space for it) is a bus error. The JVM makes
 * an {@link InternalError} of it, but later, at a place of its own choice: behind this copy, and
 * perhaps behind the answer to a client. So each batch is read back and compared. A read that fails
 * leaves the rest of its target as it was, and pages fail as a whole; therefore one byte of each
 * page is made wrong in the target before.
 *
 * <p>Used by one thread.
 */
final class WindowCopy {
    private static final int PIECE = 64 << 10;
    private static final int PAGE = PreparedChunk.PAGE;

    /** More than any heap grants without a call of the JVM, which throws what is pending. */
    private static final int ALLOCATIONS = 16;

    private final ByteBuffer echo = ByteBuffer.allocateDirect(PIECE);

    /**
     * Copies all of {@code batch}, which starts at index 0 and consists of whole records.
     *
     * @param window a mapping whose index 0 is the start of a page
     * @throws IOException if a part of it did not arrive
     */
    void copy(ByteBuffer batch, ByteBuffer window, int index) throws IOException {
        InternalError failure;
        try {
            store(batch, window, index);
            if (isStored(batch, window, index)) {
                return;
            }
            provokePendingError();
            failure = new InternalError("what was stored reads otherwise");
        } catch (InternalError e) {
            failure = e;
        }
        throw new IOException("the mapped file is not accessible", failure);
    }

    private static void store(ByteBuffer batch, ByteBuffer window, int index) {
        int end = batch.limit();
        int length;
        for (int at = 0; at < end; at += length) {
            length = batch.getInt(at + LogLayout.LENGTH);
            window.put(index + at, batch, at, length);
        }
    }

    private boolean isStored(ByteBuffer batch, ByteBuffer window, int index) {
        int end = batch.limit();
        boolean equal = true;
        for (int from = 0; from < end && equal; from += PIECE) {
            int length = Math.min(PIECE, end - from);
            batch.limit(from + length).position(from);
            echo.clear();
            int pageEnd;
            for (int at = 0; at < length; at = pageEnd) {
                echo.put(at, (byte) ~batch.get(from + at));
                pageEnd = at + PAGE - (index + from + at) % PAGE;
            }
            echo.put(0, window, index + from, length).limit(length);
            equal = echo.mismatch(batch) < 0;
        }
        batch.limit(end).position(0);
        return equal;
    }

    /** Makes the JVM throw the error within the caller's try rather than anywhere else. */
    private static void provokePendingError() {
        List<byte[]> arrays = new ArrayList<>();
        while (arrays.size() < ALLOCATIONS) {
            arrays.add(new byte[1 << 20]);
        }
    }
}
