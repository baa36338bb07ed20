// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.message.ServerState;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One storage server: its segments, the bytes it has in each state, its slabs with free blocks, and
 * its slabs with something to revoke. Every change of a block's state passes through here.
 */
final class StorageServer {
    /** States that are counted: revoking blocks are one state, told or not. */
    static final int STATES = Slab.RETIRED + 1;

    static final int SIZES = 9;

    final int id;
    final int storageClass;
    String location;
    String host;

    /** log2 of the smallest block to grant; what is cut already stays as it is. */
    int minShift = BlockGeometry.SLOT_SHIFT;

    private ServerState state = ServerState.EXPECTED;
    private final ClassRoom room;

    /** By number. */
    @Nullable Segment[] segments = new @Nullable Segment[4];

    /** Bytes and, but for free ones, blocks by state. */
    final long[] bytes = new long[STATES];

    final long[] blocks = new long[STATES];

    /** Bytes and blocks by state (granted and committed) that do not match the server's report. */
    final long[] mismatchedBytes = new long[STATES];

    final long[] mismatchedBlocks = new long[STATES];

    /** Referenced blocks of former incarnations whose nodes still name them. */
    long orphans;

    /** Whether the log may have lost segments of it, too: new ones are not trusted then. */
    boolean suspect;

    /** Slabs with revoking blocks or suspects that the server has not been told of. */
    final ArrayDeque<Slab> toRevoke = new ArrayDeque<>();

    /** Counts everything anew, or null if nobody does. */
    @Nullable Recount recount;

    private final SlabList whole = new SlabList();
    private final SlabList[] partial = new SlabList[SIZES];

    /** A server without segments that is expected; what it has counts in the room of its class. */
    StorageServer(int id, ClassRoom room, String location, String host) {
        this.id = id;
        this.storageClass = room.storageClass();
        this.location = location;
        this.host = host;
        this.room = room;
        Arrays.setAll(partial, i -> new SlabList());
    }

    ServerState state() {
        return state;
    }

    void become(ServerState next) {
        int counts = (next == ServerState.DEAD ? 0 : 1) - (state == ServerState.DEAD ? 0 : 1);
        state = next;
        if (counts != 0) {
            room.add(counts * bytes[Slab.FREE], counts * capacity());
        }
    }

    /** Bytes have become free, or were free and are so no more. */
    private void changeFree(long by, boolean withCapacity) {
        bytes[Slab.FREE] += by;
        if (state != ServerState.DEAD) {
            room.add(by, withCapacity ? by : 0);
        }
    }

    @Nullable Segment segment(int number) {
        return number >= 0 && number < segments.length ? segments[number] : null;
    }

    int[] segmentNumbers() {
        return IntStream.range(0, segments.length).filter(i -> segments[i] != null).toArray();
    }

    void setSegment(Segment segment) {
        int number = segment.number;
        if (number >= segments.length) {
            segments = Arrays.copyOf(segments, Math.max(number + 1, 2 * segments.length));
        }
        segments[number] = segment;
        changeFree(segment.capacity(), true);
        recount = null;
    }

    /** Forgets a segment's old incarnation: what it held is gone. */
    void dropSegment(Segment segment) {
        setReported(segment, false);
        for (Slab slab : segment.slabs) {
            for (int block = 0; block < slab.blocks(); block++) {
                byte old = slab.state(block);
                if (old == Slab.GRANTED || old == Slab.COMMITTED) {
                    orphans++;
                }
                if (old != Slab.FREE) {
                    clearMismatch(slab, block);
                    change(slab, block, Slab.FREE);
                }
            }
        }
        changeFree(-segment.capacity(), true);
        segments[segment.number] = null;
        recount = null;
    }

    Recount beginRecount() {
        Recount begun = new Recount(this);
        recount = begun;
        return begun;
    }

    /** Bytes of all segments. */
    long capacity() {
        long capacity = 0;
        for (long b : bytes) {
            capacity += b;
        }
        return capacity;
    }

    // ---- states ----

    /** Changes a block's state and counts; the caller calls {@link #settle} afterwards. */
    private void change(Slab slab, int block, byte to) {
        int from = counted(slab.state(block));
        slab.setState(block, to);
        if (from == Slab.FREE) {
            changeFree(-slab.blockSize(), false);
        } else {
            bytes[from] -= slab.blockSize();
        }
        if (to == Slab.FREE) {
            changeFree(slab.blockSize(), false);
        } else {
            bytes[counted(to)] += slab.blockSize();
        }
        if (recount != null) {
            recount.changed(slab, from, counted(to));
        }
        if (from != Slab.FREE) {
            blocks[from]--;
        }
        if (to != Slab.FREE) {
            blocks[counted(to)]++;
        }
    }

    /** Changes a block's state, with everything that depends on it. */
    void setState(Slab slab, int block, byte to) {
        change(slab, block, to);
        if (to == Slab.REVOKING) {
            queue(slab);
        }
        settle(slab);
    }

    static int counted(byte state) {
        return state == Slab.REVOKING_TOLD ? Slab.REVOKING : state;
    }

    void setMismatch(Slab slab, int block, int reportedCounter) {
        clearMismatch(slab, block);
        slab.segment.setMismatch(slab.record(slab.slotOf(block)), reportedCounter);
        mismatchedBytes[slab.state(block)] += slab.blockSize();
        mismatchedBlocks[slab.state(block)]++;
    }

    void clearMismatch(Slab slab, int block) {
        int record = slab.record(slab.slotOf(block));
        if (slab.segment.isMismatched(record)) {
            slab.segment.clearMismatch(record);
            mismatchedBytes[slab.state(block)] -= slab.blockSize();
            mismatchedBlocks[slab.state(block)]--;
        }
    }

    // ---- slabs with free blocks ----

    /** Uncuts a slab that is free again, and puts it into the list where it belongs. */
    void settle(Slab slab) {
        slab.uncutIfFree();
        SlabList belongs = listOf(slab);
        if (belongs != slab.list) {
            if (slab.list != null) {
                slab.list.remove(slab);
            }
            if (belongs != null) {
                belongs.add(slab);
            }
        }
    }

    /** The list a slab belongs into, or null if nothing of it can be allocated. */
    @Nullable SlabList listOf(Slab slab) {
        if (!slab.segment.reported || slab.suspects != null) {
            return null;
        }
        if (!slab.isCut()) {
            return whole;
        }
        return slab.freeBlocks() > 0 ? partial[slab.shift() - BlockGeometry.SLOT_SHIFT] : null;
    }

    void setReported(Segment segment, boolean reported) {
        segment.reported = reported;
        segment.reportedSlots = 0;
        for (Slab slab : segment.slabs) {
            settle(slab);
        }
    }

    /** A slab with a free block of this size, cut or to be cut, or null. */
    @Nullable Slab slabFor(int shift) {
        if (shift < minShift) {
            return null;
        }
        Slab slab = partial[shift - BlockGeometry.SLOT_SHIFT].first();
        return slab != null ? slab : whole.first();
    }

    // ---- slabs with something to revoke ----

    void queue(Slab slab) {
        if (!slab.queued) {
            slab.queued = true;
            toRevoke.add(slab);
        }
    }
}
