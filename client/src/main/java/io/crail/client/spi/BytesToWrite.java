// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import java.nio.ByteBuffer;

/**
 * Bytes to be written into a block, and the salted checksums of the chunks they touch. By one
 * thread at a time.
 */
public interface BytesToWrite {
    /** Number of bytes. */
    int length();

    /**
     * Puts the bytes into memory, for a path that has the block mapped and asks for the {@link
     * #checksums} behind it: they may be made on the way.
     *
     * @param memory its position and limit stay where they are
     * @param to where the first byte goes
     */
    void copyInto(ByteBuffer memory, int to);

    /** Costs a pass over the bytes if nobody asked before and they were not copied. */
    int[] checksums();
}
