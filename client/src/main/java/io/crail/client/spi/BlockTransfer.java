// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that move between a buffer and one block, once. The data path calls back exactly once,
 * except after a cancel.
 */
public abstract class BlockTransfer {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);
    private static final int[] NO_CHECKSUMS = {};

    private final BlockReference block;
    private final int offset;
    private final ByteBuffer data;
    private final int length;
    private final boolean wantsChecksums;

    private BlockTransfer(
            BlockReference block, int offset, ByteBuffer data, int length, boolean wantsChecksums) {
        if (!data.isDirect()) {
            throw new IllegalArgumentException("data must be a direct buffer");
        }
        this.block = block;
        this.offset = offset;
        this.data = data;
        this.length = length;
        this.wantsChecksums = wantsChecksums;
    }

    /** Cheaper than that of an identity, which each object would have to be given first. */
    @Override
    public final int hashCode() {
        return 31 * block.record() + offset;
    }

    /** Identity. */
    @Override
    public final boolean equals(@Nullable Object other) {
        return this == other;
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
     * path uses a duplicate and leaves both where they are. Empty for {@link Borrow} and {@link
     * Sums}.
     */
    public final ByteBuffer data() {
        return data;
    }

    /** Number of bytes. */
    public final int length() {
        return length;
    }

    /** A write: the salted checksums of the chunks touched. A read: empty. */
    public int[] checksums() {
        return NO_CHECKSUMS;
    }

    /** Whether the stored checksums shall be delivered; the offset is then aligned. */
    public final boolean wantsChecksums() {
        return wantsChecksums;
    }

    /** Milliseconds until nobody waits for it any more. */
    public abstract int remainingMillis();

    /**
     * The server cannot be reached over this path from here (it is on another host, say, or belongs
     * to another user), and nothing was moved: the next endpoint is to be tried.
     */
    public abstract void declined(CrailException why);

    /** It is done; what asked for stored checksums gets them. */
    public abstract void completed(int[] storedChecksums);

    /** It failed. {@code ServerLostException}: the server could not be reached. */
    public abstract void failed(CrailException cause);

    /** From the block to the buffer. */
    public abstract static class Read extends BlockTransfer {
        protected Read(BlockReference block, int offset, ByteBuffer target, boolean checksums) {
            super(block, offset, target, target.remaining(), checksums);
        }

        /**
         * Fills the buffer from memory, for a path that has the block mapped. Whether the block
         * changed hands meanwhile is the path's to find out, before it says {@link #completed}.
         *
         * @param memory its position and limit stay where they are
         * @param from where the first byte is
         */
        public void copyFrom(ByteBuffer memory, int from) {
            data().put(data().position(), memory, from, length());
        }

        /** Whether {@link #lent} will do instead of filling the buffer. */
        public boolean takesLoan() {
            return false;
        }

        /**
         * The bytes are where the loan says, instead of in the buffer. Called before {@link
         * #completed}, or {@link #failed} if something else went wrong, and never after a cancel;
         * stored checksums come with {@link #completed}.
         *
         * @param loan belongs to the transfer now
         */
        public void lent(BlockLoan loan) {
            loan.close();
            throw new UnsupportedOperationException("this read takes no loan");
        }
    }

    /** From the buffer to the block. */
    public abstract static class Write extends BlockTransfer implements BytesToWrite {
        protected Write(BlockReference block, int offset, ByteBuffer source) {
            super(block, offset, source, source.remaining(), false);
        }

        /** Whether there are checksums, made or not: none if the node keeps none. */
        public boolean hasChecksums() {
            return checksums().length > 0;
        }

        @Override
        public abstract int[] checksums();

        /**
         * Whether nothing was sent to the block before, under its generation, by anybody: then what
         * is stored of it means nothing. False where that is not known.
         */
        public boolean isFirst() {
            return false;
        }

        @Override
        public void copyInto(ByteBuffer memory, int to) {
            memory.put(to, data(), data().position(), length());
        }
    }

    /** Asks for the stored checksums of a range of whole chunks, and not for its bytes. */
    public abstract static class Sums extends BlockTransfer {
        protected Sums(BlockReference block, int offset, int length) {
            super(block, offset, NOTHING, length, true);
        }
    }

    /** Asks for the memory itself; only of a path that {@link DataPath#lends}. */
    public abstract static class Borrow extends BlockTransfer {
        protected Borrow(BlockReference block, int offset, int length, boolean checksums) {
            super(block, offset, NOTHING, length, checksums);
        }

        /** Called instead of {@link #completed}; the loan belongs to the transfer now. */
        public abstract void lent(BlockLoan loan);
    }
}
