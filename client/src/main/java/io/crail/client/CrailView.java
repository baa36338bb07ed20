// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.ClosedException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Bytes of a file or value, to be looked at without a copy of one's own. Where the storage server
 * is on this host, they are the memory of the server itself, and its blocks are not freed before
 * the view is closed, whatever becomes of the node; elsewhere they were read into memory of the
 * view. All bytes were verified when the view was opened, unless asked otherwise.
 *
 * <p>Close it soon: blocks that a view holds are missing elsewhere, and a client may hold a limited
 * number ({@code viewBlocks}). A view that is forgotten is closed when it is garbage collected; so
 * keep the view, not only its buffers, as long as these are used.
 *
 * <p>Thread-safe, but close it only when no thread uses a buffer of it any more: afterwards other
 * bytes may appear in them. That is the one case in which crail shows foreign bytes, and it is a
 * defect of the caller; with {@link ClientConfig#poisonViews} it shows at once.
 */
public interface CrailView extends AutoCloseable {
    /**
     * The bytes in order, a buffer for each block: read-only, from position 0 to the limit, with
     * positions of their own for each call.
     *
     * @throws ClosedException if the view, or the client, is closed
     */
    List<ByteBuffer> buffers() throws ClosedException;

    /** Number of bytes in all buffers. */
    long length();

    /** Whether all of it is memory of storage servers, or shared with them: nothing was copied. */
    boolean isZeroCopy();

    /** Gives the blocks back. No buffer of the view may be used any more. Idempotent. */
    @Override
    void close();
}
