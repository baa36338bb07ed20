// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.DirectBufferPool;
import io.crail.client.spi.BufferPool;
import io.crail.protocol.block.BlockGeometry;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a writer collects bytes: one pooled buffer at a time, in which several short fragments may
 * follow each other. On the writer's strand.
 *
 * <p>Sizes double from 64 KiB to a block, so that a short file costs little memory; a buffer ends
 * where its block will end, so that each becomes one WRITE; and when the pool gets short, buffers
 * shrink.
 */
final class WriteBuffer {
    private static final int FIRST = 64 << 10;

    private final WriterContext context;
    private final Runnable refilled;
    private @Nullable SharedLease lease;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private boolean starved;

    /**
     * @param refilled run on the strand when the pool, found empty, has memory again
     */
    WriteBuffer(WriterContext context, Runnable refilled) {
        this.context = context;
        this.refilled = refilled;
    }

    /** Bytes that are collected and not taken. */
    int collected() {
        return lease == null ? 0 : bytes.position();
    }

    /**
     * Whether there is room; obtains a buffer if need be.
     *
     * @param inBlock bytes of the block that will be before the buffer's, as far as known
     * @param position bytes of the file before the buffer's
     */
    boolean hasRoom(long inBlock, long position) {
        if (lease != null) {
            return true;
        }
        int size = size(inBlock, position);
        BufferPool pool = context.engine().buffers();
        BufferPool.@Nullable Lease fresh = pool.tryAcquire(size);
        if (fresh == null) {
            fresh = pool.tryAcquire(BufferPool.MIN_BUFFER);
        }
        if (fresh == null) {
            awaitMemory(pool);
            return false;
        }
        lease = new SharedLease(fresh);
        bytes = fresh.buffer().slice(0, Math.min(size, fresh.buffer().capacity()));
        return true;
    }

    private void awaitMemory(BufferPool pool) {
        if (!starved) {
            starved = true;
            pool.whenAvailable(
                    BufferPool.MIN_BUFFER, () -> context.strand().execute(this::memoryIsBack));
        }
    }

    private void memoryIsBack() {
        starved = false;
        refilled.run();
    }

    private int size(long inBlock, long position) {
        DirectBufferPool.Usage usage = context.engine().bufferUsage();
        int largest = BlockGeometry.MAX_BLOCK;
        if (usage.bytesInUse() > usage.limit() / 4 * 3) {
            largest = BufferPool.MIN_BUFFER;
        } else if (isShort(usage)) {
            largest = FIRST;
        }
        boolean grown = position >= BlockGeometry.MAX_BLOCK || inBlock >= BlockGeometry.MAX_BLOCK;
        long wanted =
                grown
                        ? BlockGeometry.MAX_BLOCK
                        : Math.max(FIRST, Long.highestOneBit(Math.max(1, inBlock)));
        long toEnd = BlockGeometry.MAX_BLOCK - inBlock % BlockGeometry.MAX_BLOCK;
        return (int) Math.min(Math.min(largest, wanted), toEnd);
    }

    private static boolean isShort(DirectBufferPool.Usage usage) {
        return usage.bytesInUse() > usage.limit() / 2;
    }

    /** Whether the pool is so short of memory that bytes should not wait in it. */
    boolean isMemoryShort() {
        return isShort(context.engine().bufferUsage());
    }

    /** Copies what fits; true if the buffer is full. Only with room. */
    boolean put(ByteBuffer source) {
        int piece = Math.min(source.remaining(), bytes.remaining());
        bytes.put(source.slice(source.position(), piece));
        source.position(source.position() + piece);
        return !bytes.hasRemaining();
    }

    /**
     * Takes what is collected as a fragment, or null if there is nothing. What is left of the
     * buffer is filled further, unless it is short or {@code letGo}.
     */
    @Nullable Fragment take(boolean letGo) {
        SharedLease from = lease;
        if (from == null) {
            return null;
        }
        int length = bytes.position();
        Fragment fragment = null;
        if (length > 0) {
            ByteBuffer data = bytes.slice(0, length);
            fragment = new Fragment(data, DataOwner.pooled(from.join(), length));
        }
        if (letGo || bytes.remaining() < BufferPool.MIN_BUFFER) {
            drop();
        } else {
            bytes = bytes.slice(length, bytes.remaining());
        }
        return fragment;
    }

    /** Forgets what is collected. */
    void drop() {
        SharedLease from = lease;
        if (from != null) {
            lease = null;
            from.leave();
        }
    }
}
