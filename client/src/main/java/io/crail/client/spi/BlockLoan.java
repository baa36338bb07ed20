// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import java.nio.ByteBuffer;

/**
 * Memory of a block, lent to be read in place. The block is not freed before the loan is closed, so
 * nobody but a writer who appends behind the bytes asked for changes it. Or a copy that the path
 * has of these bytes, which nobody changes until then. Thread-safe.
 */
public interface BlockLoan extends AutoCloseable {
    /** The bytes asked for, read-only, from position 0 to the limit. */
    ByteBuffer data();

    /** Stored checksums of the chunks, if asked for. */
    int[] storedChecksums();

    /** Gives the memory back; after that nobody may look at it. Idempotent. */
    @Override
    void close();
}
