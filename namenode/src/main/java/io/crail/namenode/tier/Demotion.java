// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.namenode.state.State;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.protocol.message.GrantCopies;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Plans what leaves a server because its class is too full: the coldest nodes, whole. */
final class Demotion {
    /** Extents looked at for one plan. */
    private static final int LOOKS = 100_000;

    /** When nothing could be found, the next walk over all nodes waits. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int REST_MILLIS = 1_000;

    private final TierPlanner planner;
    private final State state;
    private final Rooms rooms;
    private final Claim claim;
    private final long now;
    private final int storageClass;
    private int looks;

    Demotion(TierPlanner planner, State state, Rooms rooms, Claim claim, long now) {
        this.planner = planner;
        this.state = state;
        this.rooms = rooms;
        this.claim = claim;
        this.now = now;
        this.storageClass = state.servers().storageClass(claim.server);
    }

    Plan plan(int bytes) {
        long needed = planner.needed(rooms, storageClass);
        int target = target();
        if (needed <= 0 || target < 0) {
            claim.stopSweeping();
            Plan nothing = new Plan(claim.server, 0);
            nothing.askAgainAfter(REST_MILLIS);
            return nothing;
        }
        long limit = Math.min(Math.min(bytes, needed), rooms.belowHigh(target));
        Plan plan = new Plan(claim.server, (int) Math.max(1, limit));
        plan.between(storageClass, target, GrantCopies.ANY_CLASS);
        fill(plan, needed);
        plan.askAgainAfter(plan.isEmpty() && !claim.isSweeping() ? REST_MILLIS : 0);
        if (!plan.isEmpty()) {
            claim.outstanding = plan.bytes();
            claim.demotedClass = storageClass;
        }
        return plan;
    }

    private List<Integer> behind() {
        return rooms.classes().stream().filter(each -> each > storageClass).toList();
    }

    /** The next class that is not itself above its high-water mark, or -1. */
    private int target() {
        for (int each : behind()) {
            if (rooms.belowHigh(each) > 0) {
                return each;
            }
        }
        return -1;
    }

    /** Of what the class has to lose, as much as the server has of what the class uses. */
    private long share(long needed) {
        double part = (double) TierPlanner.used(state, claim.server) / rooms.used(storageClass);
        return (long) Math.ceil(needed * Math.min(1, part));
    }

    private void fill(Plan plan, long needed) {
        long end = planner.sliceEnd();
        boolean first = true;
        while (!plan.isFull() && looks < LOOKS) {
            if (claim.coldNode != 0) {
                add(plan, claim.sweep());
            } else if (!claim.isSweeping()) {
                if (now - claim.restNanos < 0) {
                    return;
                }
                claim.sweep(
                        new Sweep(
                                claim.server,
                                storageClass,
                                state.tree().useClock().seconds(),
                                planner.config().idle().toSeconds(),
                                new Bounds(state, behind())));
            } else if (claim.sweep().hasNext()) {
                claim.coldNode = claim.sweep().next();
                claim.coldOffset = 0;
            } else if (claim.sweep().isEnded()) {
                end();
                return;
            } else if (first || planner.clock().getAsLong() - end < 0) {
                first = false;
                claim.sweep().advance(state, share(needed), planner.clock(), end);
            } else {
                return;
            }
        }
    }

    private void end() {
        if (!claim.hasPlanned()) {
            claim.restNanos = now + REST_NANOS;
        }
        claim.stopSweeping();
    }

    /** Adds the extents of the node, in their order, from where the last plan has ended. */
    private void add(Plan plan, Sweep sweep) {
        Node node = state.tree().byId(claim.coldNode);
        ExtentList list = node == null ? null : node.extents();
        if (node == null || list == null || !sweep.isCold(node, list)) {
            claim.coldNode = 0;
            return;
        }
        int i = claim.coldOffset == 0 ? 0 : list.find(claim.coldOffset);
        for (; i < list.count() && !plan.isFull() && looks < LOOKS; i++) {
            looks++;
            if (list.server(i) == claim.server && Movability.isMovable(state, node, list, i)) {
                plan.add(node, i);
                claim.planned();
            }
        }
        claim.coldOffset = i < list.count() ? list.offset(i) : 0;
        claim.coldNode = i < list.count() ? claim.coldNode : 0;
    }
}
