// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.message.ServerState;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses blocks: for each one the size, then the storage class, then the server, then the first
 * slab of that server with a free block of that size.
 */
final class Allocator {
    private static final int MIN_SHIFT = BlockGeometry.SLOT_SHIFT;
    private static final int MAX_SHIFT = MIN_SHIFT + StorageServer.SIZES - 1;

    // Distances of servers by the policy LOCAL_FIRST; others know only the first.
    private static final int SAME_HOST = 0;
    private static final int SAME_LOCATION = 1;
    private static final int SAME_GROUP = 2;
    private static final int ELSEWHERE = 3;

    private final Transitions transitions;
    private final StorageClasses classes;
    private final RandomGenerator random;

    Allocator(Transitions transitions, StorageClasses classes, RandomGenerator random) {
        this.transitions = transitions;
        this.classes = classes;
        this.random = random;
    }

    /** Grants blocks and returns their bytes, or throws and changes nothing. */
    long allocate(Allocation wish, BlockConsumer out) throws CrailException {
        long granted = 0;
        for (int i = 0; i < wish.maxBlocks() && granted < wish.bytes(); i++) {
            long rest = wish.bytes() - granted;
            int shift = wish.exact() ? tight(rest, wish.bytes()) : roundUp(wish.bytes());
            int length = grantOne(wish, shift, out);
            if (length == 0) {
                break;
            }
            granted += length;
        }
        if (granted == 0) {
            throw refusal(wish);
        }
        return granted;
    }

    /** log2 of the smallest block that holds so many bytes, or of the largest block. */
    static int roundUp(long bytes) {
        if (bytes >= BlockGeometry.MAX_BLOCK) {
            return MAX_SHIFT;
        }
        return Math.max(MIN_SHIFT, 64 - Long.numberOfLeadingZeros(bytes - 1));
    }

    /**
     * log2 of the next block of a tight fit: what holds the whole rest, if that wastes at most an
     * eighth of the total, else the largest that the rest fills. After three blocks of the second
     * kind the rest is below an eighth, so a total below 1 MiB takes four blocks at most.
     */
    static int tight(long rest, long total) {
        int shift = roundUp(rest);
        long waste = (1L << shift) - rest;
        return waste * 8 <= total || shift == MIN_SHIFT ? shift : shift - 1;
    }

    private int grantOne(Allocation wish, int shift, BlockConsumer out) {
        for (int rank = wish.storageClass(); rank <= wish.lastClass(); rank++) {
            StorageServer[] servers = classes.of(rank);
            if (servers.length == 0) {
                continue;
            }
            int start = start(wish, rank, servers.length);
            // A near server is used until it is full: a piece of another size there is better
            // than the right size far away.
            int farthest = wish.policy() == PlacementPolicy.LOCAL_FIRST ? ELSEWHERE : SAME_HOST;
            for (int distance = SAME_HOST; distance <= farthest; distance++) {
                int length = grantWithin(wish, servers, start, distance, shift, out);
                if (length > 0) {
                    return length;
                }
            }
        }
        return 0;
    }

    /** The size asked for, then smaller ones, then larger ones: better to waste than to fail. */
    private int grantWithin(
            Allocation wish,
            StorageServer[] servers,
            int start,
            int distance,
            int shift,
            BlockConsumer out) {
        for (int size = shift; size >= MIN_SHIFT; size--) {
            Slab slab = find(wish, servers, start, size, distance);
            if (slab != null) {
                return grant(slab, size, out);
            }
        }
        for (int size = shift + 1; size <= MAX_SHIFT; size++) {
            Slab slab = find(wish, servers, start, size, distance);
            if (slab != null) {
                return grant(slab, size, out);
            }
        }
        return 0;
    }

    private int start(Allocation wish, int rank, int servers) {
        return wish.policy() == PlacementPolicy.RANDOM
                ? random.nextInt(servers)
                : classes.turn(rank) % servers;
    }

    private static @Nullable Slab find(
            Allocation wish, StorageServer[] servers, int start, int shift, int farthest) {
        @Nullable Slab best = null;
        int bestDistance = farthest + 1;
        for (int i = 0; i < servers.length; i++) {
            int at = start + i;
            StorageServer server = servers[at < servers.length ? at : at - servers.length];
            int distance = distance(wish, server);
            if (distance < bestDistance && usable(wish, server)) {
                Slab slab = server.slabFor(shift);
                if (slab != null) {
                    best = slab;
                    bestDistance = distance;
                    if (distance == 0) {
                        break;
                    }
                }
            }
        }
        return best;
    }

    private static boolean usable(Allocation wish, StorageServer server) {
        return server.state() == ServerState.LIVE && !wish.excludes(server.id);
    }

    /** {@link #SAME_HOST} for the best server by the policy; more for others. */
    private static int distance(Allocation wish, StorageServer server) {
        if (wish.policy() != PlacementPolicy.LOCAL_FIRST) {
            return SAME_HOST;
        }
        if (!wish.host().isEmpty() && wish.host().equals(server.host)) {
            return SAME_HOST;
        }
        String location = wish.location();
        if (location.isEmpty()) {
            return ELSEWHERE;
        }
        if (location.equals(server.location)) {
            return SAME_LOCATION;
        }
        return sameGroup(location, server.location) ? SAME_GROUP : ELSEWHERE;
    }

    /** Whether two location classes agree up to the first slash: "rack7/node1", "rack7/node2". */
    private static boolean sameGroup(String one, String other) {
        int length = groupLength(one);
        return length == groupLength(other) && one.regionMatches(0, other, 0, length);
    }

    private static int groupLength(String location) {
        int slash = location.indexOf('/');
        return slash < 0 ? location.length() : slash;
    }

    private int grant(Slab slab, int shift, BlockConsumer out) {
        int slot = 0;
        if (slab.isCut()) {
            slot = slab.slotOf(slab.freeBlock());
        }
        Segment segment = slab.segment;
        int record = slab.record(slot);
        int length = 1 << shift;
        transitions.grant(slab, record, length, slab.counter(slot));
        out.accept(
                segment.server.id, segment.number, record, length, segment.generation(slab, slot));
        return length;
    }

    /** BUSY if waiting may help, else OUT_OF_SPACE, with the numbers: nobody waits for the dead. */
    private CrailException refusal(Allocation wish) {
        long coming = 0;
        long excluded = 0;
        long capacity = 0;
        long away = 0;
        for (int rank = wish.storageClass(); rank <= wish.lastClass(); rank++) {
            for (StorageServer server : classes.of(rank)) {
                if (server.state() == ServerState.DEAD) {
                    away += server.capacity();
                    continue;
                }
                capacity += server.capacity();
                if (server.state() == ServerState.DRAINING) {
                    continue;
                }
                // What is free on a server that may be used is not reported or not fenced yet.
                long later = server.bytes[Slab.FREE] + server.bytes[Slab.REVOKING];
                if (wish.excludes(server.id)) {
                    excluded += later;
                } else {
                    coming += later;
                }
            }
        }
        String what =
                "no block for "
                        + new ByteSize(wish.bytes()).rounded()
                        + " in storage class "
                        + wish.storageClass()
                        + (wish.lastClass() == StorageClasses.COUNT - 1
                                ? " or above"
                                : " to " + wish.lastClass())
                        + ": ";
        if (capacity == 0 && away > 0) {
            return new OutOfSpaceException(
                    what
                            + "all storage servers there, with "
                            + new ByteSize(away).rounded()
                            + ", are away; start them again, or add one");
        }
        what += "of " + new ByteSize(capacity).rounded() + " none is free";
        if (coming > 0) {
            return new BusyException(
                    what
                            + " now, "
                            + new ByteSize(coming).rounded()
                            + " are being revoked or wait for their storage server; try again");
        }
        if (excluded > 0) {
            return new OutOfSpaceException(
                    what
                            + " but up to "
                            + new ByteSize(excluded).rounded()
                            + " on storage servers that the client cannot reach");
        }
        return new OutOfSpaceException(
                what
                        + (away > 0 ? " while " + new ByteSize(away).rounded() + " are away" : "")
                        + "; delete something or add a storage server");
    }
}
