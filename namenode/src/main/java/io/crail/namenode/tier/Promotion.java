// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.namenode.state.State;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.UseClock;

/**
 * Plans what comes to a better class because it is read again and again: candidates of the {@link
 * UseClock} that fit, whole, below the low-water mark there. The class of a node is the best it may
 * use.
 */
final class Promotion {
    /** Extents looked at for one plan. What has more, 100 GiB in the largest blocks, stays. */
    private static final int LOOKS = 100_000;

    private static final int REST_MILLIS = 1_000;

    /** The node cannot be moved, or need not be. */
    private static final int NONE = -1;

    /** It can, but by the mover of another server. */
    private static final int NOT_HERE = -2;

    private final TierPlanner planner;
    private final State state;
    private final Rooms rooms;
    private final Claim claim;
    private final int storageClass;
    private int looks;

    Promotion(TierPlanner planner, State state, Rooms rooms, Claim claim) {
        this.planner = planner;
        this.state = state;
        this.rooms = rooms;
        this.claim = claim;
        this.storageClass = state.servers().storageClass(claim.server);
    }

    Plan plan(int bytes) {
        Plan plan = new Plan(claim.server, bytes);
        UseClock uses = state.tree().useClock();
        int tries = uses.candidates();
        while (!plan.isFull() && looks < LOOKS) {
            if (claim.hotNode != 0) {
                add(plan);
            } else if (tries-- > 0) {
                begin(plan, uses);
            } else {
                break;
            }
        }
        if (plan.isEmpty()) {
            plan.askAgainAfter(claim.hotNode != 0 ? 0 : REST_MILLIS);
        } else {
            plan.between(storageClass, claim.hotTarget, claim.hotTarget);
            claim.outstanding = plan.bytes();
            claim.promotedClass = claim.hotTarget;
        }
        return plan;
    }

    /** Looks at one candidate; all of one plan go to one class. */
    private void begin(Plan plan, UseClock uses) {
        long id = uses.takeCandidate();
        Node node = state.tree().byId(id);
        ExtentList list = node == null ? null : node.extents();
        if (node == null || list == null || isKept(node) || list.count() > LOOKS) {
            return;
        }
        int target = target(plan, node, list);
        if (target == NOT_HERE
                || (target != NONE && !plan.isEmpty() && target != claim.hotTarget)) {
            uses.offer(id);
        } else if (target != NONE) {
            claim.hotNode = id;
            claim.hotOffset = 0;
            claim.hotTarget = target;
        }
    }

    /** Who writes it has it for himself; who reads it shall have it faster. */
    private boolean isKept(Node node) {
        return (node instanceof FileNode file && (file.isLeased() || file.isUnlinked()))
                || !state.tree().isNamed(node);
    }

    private int target(Plan plan, Node node, ExtentList list) {
        int best = node.attributes().storageClass();
        boolean elsewhere = false;
        for (int each : rooms.classes()) {
            if (each >= best) {
                long bytes = above(list, each);
                if (bytes == 0) {
                    break;
                }
                if (bytes <= planner.roomFor(rooms, each) - plan.bytes()) {
                    if (each < storageClass) {
                        return each;
                    }
                    elsewhere = true;
                }
            }
        }
        return elsewhere ? NOT_HERE : NONE;
    }

    /** Bytes of blocks in classes behind one. */
    private long above(ExtentList list, int target) {
        long bytes = 0;
        for (int i = 0; i < list.count(); i++) {
            if (state.servers().storageClass(list.server(i)) > target) {
                bytes += list.blockLength(i);
            }
        }
        return bytes;
    }

    private void add(Plan plan) {
        Node node = state.tree().byId(claim.hotNode);
        ExtentList list = node == null ? null : node.extents();
        if (node == null
                || list == null
                || isKept(node)
                || planner.roomFor(rooms, claim.hotTarget) <= 0) {
            claim.hotNode = 0;
            return;
        }
        int i = claim.hotOffset == 0 ? 0 : list.find(claim.hotOffset);
        for (; i < list.count() && !plan.isFull() && looks < LOOKS; i++) {
            looks++;
            if (state.servers().storageClass(list.server(i)) > claim.hotTarget
                    && Movability.isMovable(state, node, list, i)) {
                plan.add(node, i);
            }
        }
        claim.hotOffset = i < list.count() ? list.offset(i) : 0;
        claim.hotNode = i < list.count() ? claim.hotNode : 0;
    }
}
