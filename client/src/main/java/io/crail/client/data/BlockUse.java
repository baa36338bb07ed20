// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

/**
 * Whether anything was sent to a granted block. Until then what a server keeps beside the bytes of
 * the block (its checksums) means nothing, so that nobody has to read it before it is changed. One
 * writer's, which takes it for all that it sends to the block; on the strand of that writer.
 */
public final class BlockUse {
    private boolean begun;

    private BlockUse(boolean begun) {
        this.begun = begun;
    }

    /** Of a block that was granted and to which nothing was sent. */
    public static BlockUse fresh() {
        return new BlockUse(false);
    }

    /** Of a block of which something is committed. */
    public static BlockUse continued() {
        return new BlockUse(true);
    }

    /**
     * Something is about to be sent; each attempt counts.
     *
     * @return whether it is the first
     */
    boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }
}
