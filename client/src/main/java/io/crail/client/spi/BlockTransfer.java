// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;

/**
 * Bytes that move between a buffer and one block, once. The data path calls back exactly once,
 * except after a cancel.
 */
public abstract class BlockTransfer {
    private final BlockReference block;
    private final int offset;
    private final ByteBuffer data;
    private final int[] checksums;
    private final boolean wantsChecksums;

    private BlockTransfer(
            BlockReference block,
            int offset,
            ByteBuffer data,
            int[] checksums,
            boolean wantsChecksums) {
        if (!data.isDirect()) {
            throw new IllegalArgumentException("data must be a direct buffer");
        }
        this.block = block;
        this.offset = offset;
        this.data = data;
        this.checksums = checksums;
        this.wantsChecksums = wantsChecksums;
    }

    public final BlockReference block() {
        return block;
    }

    /** First byte, within the block. */
    public final int offset() {
        return offset;
    }

    /**
     * The direct buffer; from its position to its limit are the bytes to write or to fill. The data
     * path uses a duplicate and leaves both where they are.
     */
    public final ByteBuffer data() {
        return data;
    }

    /** A write: the salted checksums of the chunks touched. A read: empty. */
    public final int[] checksums() {
        return checksums;
    }

    /** A read: whether the stored checksums shall be delivered; the offset is then aligned. */
    public final boolean wantsChecksums() {
        return wantsChecksums;
    }

    /** Milliseconds until nobody waits for it any more. */
    public abstract int remainingMillis();

    /** It is done; a read delivers the stored checksums that were asked for. */
    public abstract void completed(int[] storedChecksums);

    /** It failed. {@code ServerLostException}: the server could not be reached. */
    public abstract void failed(CrailException cause);

    /** From the block to the buffer. */
    public abstract static class Read extends BlockTransfer {
        protected Read(BlockReference block, int offset, ByteBuffer target, boolean checksums) {
            super(block, offset, target, new int[0], checksums);
        }
    }

    /** From the buffer to the block. */
    public abstract static class Write extends BlockTransfer {
        protected Write(BlockReference block, int offset, ByteBuffer source, int[] checksums) {
            super(block, offset, source, checksums, false);
        }
    }
}
