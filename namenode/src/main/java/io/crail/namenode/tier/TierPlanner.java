// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.namenode.session.Session;
import io.crail.namenode.state.ServerIdentity;
import io.crail.namenode.state.State;
import io.crail.namenode.state.Tiering;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.TierStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells movers what to bring from one storage class to another (docs/adr/0020-tiering.md).
 *
 * <p>A class that is used above its high-water mark loses its coldest nodes to the classes behind
 * it until it is down at the low one; hot nodes come back while it stays below the low one with
 * them. Between the marks nothing happens: that is what keeps a node from going back and forth.
 *
 * <p>What was planned counts as done until its mover asks again: several movers together do not
 * move more than is needed. Nothing here is logged, and nothing depends on a plan being carried
 * out: a mover that dies, or does something else, costs time.
 *
 * <p>Owned by the engine thread. A question costs a millisecond at most, but for what visits one
 * slice of nodes.
 */
public final class TierPlanner {
    /** A claim for which nothing was asked for so long has ended. */
    private static final long CLAIM_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int POLL_MILLIS = 1_000;
    private static final int REFUSED_MILLIS = 5_000;
    private static final int MAX_MOVERS = 1_000;

    private final TierConfig config;
    private final LongSupplier clock;
    private final TreeMap<Integer, Claim> claims = new TreeMap<>();
    private final boolean[] demoting = new boolean[Rooms.CLASSES];
    private final long[] demoted = new long[Rooms.CLASSES];
    private final long[] promoted = new long[Rooms.CLASSES];

    /**
     * A planner without claims.
     *
     * @param clock monotonic time, by which work is cut into slices
     */
    public TierPlanner(TierConfig config, LongSupplier clock) {
        this.config = config;
        this.clock = clock;
    }

    /**
     * What a session should move next, at most so many bytes or a block more; 0 = nothing, it only
     * keeps its claim.
     *
     * @param wanted server to work for, 0 = any
     * @param now monotonic time of the request
     */
    public Plan plan(State state, Session session, int wanted, int bytes, long now) {
        expire(state, now);
        for (Claim each : claims.values()) {
            if (each.session == session.id()) {
                each.settle();
            }
        }
        Rooms rooms = rooms(state);
        int server = wanted != 0 ? wanted : choose(state, rooms, session.id());
        Claim claim = server == 0 ? null : claim(server, session, now);
        if (claim == null) {
            Plan refused = new Plan(0, 0);
            refused.askAgainAfter(wanted == 0 ? POLL_MILLIS : REFUSED_MILLIS);
            return refused;
        }
        if (bytes == 0 || state.tiering().paused() || !isLive(state, server)) {
            Plan nothing = new Plan(server, 0);
            nothing.askAgainAfter(POLL_MILLIS);
            return nothing;
        }
        Plan plan = new Demotion(this, state, rooms, claim, now).plan(bytes);
        return plan.isEmpty() && !claim.isSweeping()
                ? new Promotion(this, state, rooms, claim).plan(bytes)
                : plan;
    }

    /** A block was swapped for one in another class. */
    public void moved(int fromClass, int toClass, long bytes) {
        if (fromClass < toClass) {
            demoted[fromClass] += bytes;
        } else if (fromClass > toClass) {
            promoted[fromClass] += bytes;
        }
    }

    /** What operators see. */
    public TierStatus.Reply status(State state, long now) {
        expire(state, now);
        Rooms rooms = rooms(state);
        List<TierStatus.ClassUse> classes = new ArrayList<>();
        for (int each : rooms.classes()) {
            classes.add(
                    new TierStatus.ClassUse(
                            each,
                            rooms.capacity(each),
                            rooms.used(each),
                            demoting[each] ? Math.max(0, rooms.aboveLow(each)) : 0,
                            demoted[each],
                            promoted[each]));
        }
        List<TierStatus.Mover> movers = new ArrayList<>();
        for (Claim claim : claims.values()) {
            if (movers.size() < MAX_MOVERS) {
                movers.add(
                        new TierStatus.Mover(
                                claim.server,
                                claim.session,
                                claim.name,
                                claim.outstanding,
                                Math.max(0, (now - claim.askedNanos) / 1_000_000)));
            }
        }
        return new TierStatus.Reply(
                state.tiering().paused(),
                high(state.tiering()),
                low(state.tiering()),
                state.tiering().bytesPerSecond(),
                classes,
                movers);
    }

    TierConfig config() {
        return config;
    }

    /** By when the slice of a question that is answered now is over. */
    long sliceEnd() {
        return clock.getAsLong() + SLICE_NANOS;
    }

    LongSupplier clock() {
        return clock;
    }

    boolean isDemoting(int storageClass) {
        return demoting[storageClass];
    }

    /** Bytes to be moved out of a class that nobody moves yet. */
    long needed(Rooms rooms, int storageClass) {
        if (!demoting[storageClass]) {
            return 0;
        }
        long needed = rooms.aboveLow(storageClass);
        for (Claim claim : claims.values()) {
            needed -= claim.demotedClass == storageClass ? claim.outstanding : 0;
        }
        return needed;
    }

    /** Bytes that may be moved into a class, besides those that are being moved. */
    long roomFor(Rooms rooms, int storageClass) {
        if (demoting[storageClass]) {
            return 0;
        }
        long room = -rooms.aboveLow(storageClass);
        for (Claim claim : claims.values()) {
            room -= claim.promotedClass == storageClass ? claim.outstanding : 0;
        }
        return room;
    }

    private int high(Tiering set) {
        return set.highPercent() == 0 ? config.highPercent() : set.highPercent();
    }

    private int low(Tiering set) {
        return set.highPercent() == 0 ? config.lowPercent() : set.lowPercent();
    }

    private Rooms rooms(State state) {
        Rooms rooms = Rooms.of(state, high(state.tiering()), low(state.tiering()));
        for (int each = 0; each < Rooms.CLASSES; each++) {
            if (rooms.isAboveHigh(each)) {
                demoting[each] = true;
            } else if (rooms.aboveLow(each) <= 0 && rooms.capacity(each) > 0) {
                // A class whose servers are away for a moment is as full as before.
                demoting[each] = false;
            }
        }
        return rooms;
    }

    private void expire(State state, long now) {
        claims.values()
                .removeIf(
                        claim ->
                                state.session(claim.session) == null
                                        || now - claim.askedNanos > CLAIM_NANOS);
    }

    private @Nullable Claim claim(int server, Session session, long now) {
        Claim claim = claims.get(server);
        if (claim == null) {
            claim = new Claim(server, session.id(), session.identity().name(), now);
            claims.put(server, claim);
        }
        claim.askedNanos = claim.session == session.id() ? now : claim.askedNanos;
        return claim.session == session.id() ? claim : null;
    }

    /** A server that has something to be moved and no other mover; those of the session first. */
    private int choose(State state, Rooms rooms, long session) {
        int chosen = 0;
        int best = 0;
        for (ServerIdentity server : state.servers().all()) {
            Claim claim = claims.get(server.id());
            if ((claim == null || claim.session == session) && isLive(state, server.id())) {
                int worth = worth(state, rooms, server) + (claim == null ? 0 : 1);
                if (worth > best + (chosen == 0 ? 1 : 0)) {
                    best = worth;
                    chosen = server.id();
                }
            }
        }
        return chosen;
    }

    /** More for one that is too full, less for one from which hot nodes may come, or 0. */
    private int worth(State state, Rooms rooms, ServerIdentity server) {
        int storageClass = server.storageClass();
        if (rooms.aboveLow(storageClass) > 0 && demoting[storageClass] && used(state, server) > 0) {
            return 4;
        }
        boolean hot = state.tree().useClock().candidates() > 0;
        return hot && storageClass > rooms.classes().get(0) ? 2 : 0;
    }

    private static long used(State state, ServerIdentity server) {
        return used(state, server.id());
    }

    static long used(State state, int server) {
        Statistics.Capacity bytes = state.blocks().serverCapacity(server);
        return bytes.granted() + bytes.committed();
    }

    private static boolean isLive(State state, int server) {
        return state.blocks().serverState(server) == ServerState.LIVE;
    }
}
