// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.nvmf.layout.CommandTag;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.target.fence.CommandGuard;
import io.crail.nvmf.wire.status.StatusCode;
import io.crail.storage.block.BlockTable;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Lets a command to the medium if it is for one block, under the generation that the block has now.
 *
 * <p>The target asks right before the system call, after the data has arrived, and says when the
 * call has returned. In between the command holds a reference on its block ({@link BlockTable}): a
 * revocation that raised the generation before the reference was taken makes it refused, one that
 * comes later waits for its end. So when a block is reported as freed, no command of an older
 * generation is at the medium, and none will ever be, however long its sender, its connection, or a
 * thread of the target stood still. A command that hangs in the device keeps its block.
 *
 * <p>Besides blocks hosts may read the superblock, and nothing else. Thread-safe.
 */
final class BlockGuard implements CommandGuard {
    /** What is guarded, from joining the cluster on. */
    private record Guarded(BlockTable table, FlashLayout layout) {}

    /** The hold of a command that needs none. */
    private static final long FREE = Long.MAX_VALUE;

    private final LongAdder inFlight = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private volatile @Nullable Guarded guarded;

    void open(BlockTable table, FlashLayout layout) {
        guarded = new Guarded(table, layout);
    }

    @Override
    public long enter(ByteBuffer entry, boolean isWrite, long position, int length, long rider) {
        Guarded now = guarded;
        if (now == null) {
            return CommandGuard.refuse(StatusCode.NAMESPACE_NOT_READY.status());
        }
        boolean rides = rider != NO_RIDER;
        if (!isWrite && !rides && position + length <= FlashLayout.UNIT) {
            return FREE;
        }
        CommandTag tag = CommandTag.decode(entry, 0);
        if (!isWithin(now.layout, tag, position, length)
                || (rides && rider != now.layout.recordOffset(tag.record()))) {
            return CommandGuard.refuse(StatusCode.ACCESS_DENIED.doNotRetry());
        }
        if (!now.table.acquire(tag.record(), tag.generation())) {
            return CommandGuard.refuse(StatusCode.REFERENCE_TAG_CHECK_ERROR.doNotRetry());
        }
        inFlight.increment();
        (isWrite ? writes : reads).increment();
        (isWrite ? bytesWritten : bytesRead).add(length + (rides ? FlashLayout.UNIT : 0));
        return tag.record();
    }

    /** Whether a range lies within the data or the record of the block that it is tagged with. */
    private static boolean isWithin(FlashLayout layout, CommandTag tag, long position, int length) {
        if (!layout.isBlock(tag.record(), tag.length())) {
            return false;
        }
        long inData = position - layout.dataOffset(tag.record());
        boolean isData = inData >= 0 && inData <= tag.length() - (long) length;
        return isData
                || (position == layout.recordOffset(tag.record()) && length == FlashLayout.UNIT);
    }

    @Override
    public void exit(long hold) {
        Guarded now = guarded;
        if (hold == FREE || now == null) {
            return;
        }
        inFlight.decrement();
        now.table.release((int) hold);
    }

    long inFlight() {
        return Math.max(0, inFlight.sum());
    }

    long reads() {
        return reads.sum();
    }

    long writes() {
        return writes.sum();
    }

    long bytesRead() {
        return bytesRead.sum();
    }

    long bytesWritten() {
        return bytesWritten.sum();
    }
}
