// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.error.OutOfSpaceException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.frame.ProtocolLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that the fake namenode grants, and which of them are not committed. Guarded by its owner.
 */
final class FakeGrants {
    private final FakeServers servers;
    private final Map<BlockId, BlockReference> outstanding = new HashMap<>();
    private final Map<Integer, Integer> nextRecord = new HashMap<>();
    private long returnedByFiles;
    private volatile boolean ahead = true;
    private volatile int maxBlock = BlockGeometry.MAX_BLOCK;

    FakeGrants(FakeServers servers) {
        this.servers = servers;
    }

    /** Largest block that is granted. */
    void maxBlock(int bytes) {
        maxBlock = bytes;
    }

    /** Whether a put brings blocks for the next one. */
    void ahead(boolean yes) {
        ahead = yes;
    }

    /** Blocks for the next put. */
    List<BlockReference> ahead(long bytes, Set<Integer> excluded) throws OutOfSpaceException {
        return blocks(ahead ? bytes : 0, true, excluded);
    }

    List<BlockReference> blocks(long bytes, boolean exact, Set<Integer> excluded)
            throws OutOfSpaceException {
        List<BlockReference> made = new ArrayList<>();
        long left = bytes;
        while (left > 0 && made.size() < ProtocolLimits.MAX_REFERENCES) {
            long wanted = exact ? Math.min(left, maxBlock) : maxBlock;
            int size = BlockGeometry.MIN_BLOCK;
            while (size < wanted) {
                size *= 2;
            }
            BlockReference block = block(size, excluded);
            outstanding.put(block.id(), block);
            made.add(block);
            left -= size;
        }
        return made;
    }

    private BlockReference block(int size, Set<Integer> excluded) throws OutOfSpaceException {
        FakeStorage storage = servers.usable(excluded);
        int record = nextRecord.merge(storage.id(), 256, Integer::sum);
        return new BlockReference(
                storage.id(),
                0,
                (long) record << BlockGeometry.SLOT_SHIFT,
                size,
                record,
                Generation.of(77, 1),
                99,
                BlockReference.READ | BlockReference.WRITE);
    }

    boolean has(BlockId block) {
        return outstanding.containsKey(block);
    }

    /** A granted block, which is part of a node from now on; null if it was not granted. */
    @Nullable BlockReference take(BlockId block) {
        return outstanding.remove(block);
    }

    void returned(List<BlockId> blocks) {
        blocks.forEach(outstanding::remove);
    }

    void returnedByFile(List<BlockId> blocks) {
        returned(blocks);
        returnedByFiles += blocks.size();
    }

    long returnedByFiles() {
        return returnedByFiles;
    }

    /** As after the loss of the last log records. */
    void forget() {
        outstanding.clear();
    }

    int outstanding() {
        return outstanding.size();
    }

    long bytes() {
        return outstanding.values().stream().mapToLong(BlockReference::length).sum();
    }
}
