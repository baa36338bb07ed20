// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.message.ServerState;
import java.util.Arrays;

/**
 * Invariant 8, from scratch: every byte of every segment is in exactly one state, and the counters
 * and lists that are kept agree with a full count.
 */
final class Conservation {
    private Conservation() {}

    static void check(ServerDirectory servers, StorageClasses classes) {
        servers.forEach(Conservation::check);
        for (int rank = 0; rank < StorageClasses.COUNT; rank++) {
            check(classes.of(rank), classes.room(rank));
        }
    }

    private static void check(StorageServer[] servers, ClassRoom room) {
        long free = 0;
        long capacity = 0;
        for (StorageServer server : servers) {
            if (server.state() != ServerState.DEAD) {
                free += server.bytes[Slab.FREE];
                capacity += server.capacity();
            }
        }
        if (room.free() != free || room.capacity() != capacity) {
            throw new IllegalStateException(
                    "block map is inconsistent for storage class " + room.storageClass());
        }
    }

    private static void check(StorageServer server) {
        long[] bytes = new long[StorageServer.STATES];
        long[] blocks = new long[StorageServer.STATES];
        long[] mismatched = new long[StorageServer.STATES];
        long capacity = 0;
        for (Segment segment : server.segments) {
            if (segment == null) {
                continue;
            }
            capacity += segment.capacity();
            for (Slab slab : segment.slabs) {
                count(slab, bytes, blocks, mismatched);
                checkLists(slab);
            }
        }
        expect(Arrays.stream(bytes).sum() == capacity, server, "bytes of all states");
        expect(server.capacity() == capacity, server, "capacity");
        expect(Arrays.equals(bytes, server.bytes), server, "bytes by state");
        expect(Arrays.equals(blocks, server.blocks), server, "blocks by state");
        expect(Arrays.equals(mismatched, server.mismatchedBytes), server, "mismatched bytes");
    }

    private static void count(Slab slab, long[] bytes, long[] blocks, long[] mismatched) {
        if (!slab.isCut()) {
            bytes[Slab.FREE] += BlockGeometry.SLAB_SIZE;
            return;
        }
        int free = 0;
        for (int block = 0; block < slab.blocks(); block++) {
            int state = StorageServer.counted(slab.state(block));
            bytes[state] += slab.blockSize();
            if (state == Slab.FREE) {
                free++;
            } else {
                blocks[state]++;
            }
            if (slab.segment.isMismatched(slab.record(slab.slotOf(block)))) {
                mismatched[state] += slab.blockSize();
            }
        }
        StorageServer server = slab.segment.server;
        expect(free == slab.freeBlocks(), server, "free blocks of slab " + slab.index);
        expect(free < slab.blocks(), server, "cut of the free slab " + slab.index);
    }

    private static void checkLists(Slab slab) {
        StorageServer server = slab.segment.server;
        expect(slab.list == server.listOf(slab), server, "list of slab " + slab.index);
        boolean pending = false;
        for (int block = 0; block < slab.blocks(); block++) {
            pending |= slab.state(block) == Slab.REVOKING;
        }
        expect(!pending || slab.queued, server, "revoking blocks of slab " + slab.index);
    }

    private static void expect(boolean holds, StorageServer server, String what) {
        if (!holds) {
            throw new IllegalStateException(
                    "block map is inconsistent for storage server " + server.id + ": " + what);
        }
    }
}
