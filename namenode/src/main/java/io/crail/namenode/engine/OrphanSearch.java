// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.block.BlockState;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.block.BlockId;

/**
 * Looks for the holder of a block at all nodes and sessions, in slices between which the cluster
 * goes on. If the block is in the same state under the same generation at the end as at the
 * beginning, and nobody was seen to have it, nobody has: under one generation a block is granted
 * once and committed once, and stays with that session, then with that node, which becomes a
 * removed one at most. So nodes come first, and removed ones behind them; the queue of these only
 * loses its head. What passes blocks on to another node, which the search may have been at already,
 * tells it: {@link #moved}.
 */
final class OrphanSearch {
    private final BlockId block;
    private final long generation;
    private final BlockState state;
    private long slice;
    private long removed;
    private long session;
    private String holder = "";

    /**
     * A search that has not begun.
     *
     * @param state state of the block now
     */
    OrphanSearch(BlockId block, long generation, BlockState state) {
        this.block = block;
        this.generation = generation;
        this.state = state;
    }

    /** Whether it is a search for this block, and nothing has happened to that since it began. */
    boolean isOf(BlockId id, long ofGeneration, BlockState stateNow) {
        return block.equals(id) && generation == ofGeneration && state == stateNow;
    }

    /** Who has the block: a path, a session, or "" as long as nobody was found. */
    String holder() {
        return holder;
    }

    /**
     * Looks on, at so many nodes and extents or a slice more.
     *
     * @return whether this was all
     */
    boolean goOn(State of, int looks) {
        Budget budget = new Budget(looks);
        return nodes(of.tree(), budget) && removed(of.tree(), budget) && sessions(of, budget);
    }

    /** A node has got blocks of another one. */
    void moved(Node node) {
        look(node, new Budget(0));
    }

    private static final class Budget {
        private int left;

        Budget(int looks) {
            left = looks;
        }

        void spend(int looks) {
            left -= looks;
        }

        boolean isSpent() {
            return left <= 0;
        }
    }

    private boolean nodes(Tree tree, Budget budget) {
        while (slice >= 0 && !budget.isSpent()) {
            slice = tree.visit(slice, node -> look(node, budget));
        }
        return slice < 0;
    }

    private boolean removed(Tree tree, Budget budget) {
        boolean reached = removed == 0;
        if (!reached) {
            // When the one to go on with has gone, so have all before it.
            reached = true;
            for (Node node : tree.detached()) {
                budget.spend(1);
                reached &= node.id() != removed;
            }
        }
        for (Node node : tree.detached()) {
            reached |= node.id() == removed;
            if (reached && budget.isSpent()) {
                removed = node.id();
                return false;
            }
            if (reached) {
                look(node, budget);
            }
        }
        return true;
    }

    private void look(Node node, Budget budget) {
        ExtentList list = node.extents();
        budget.spend(1 + (list == null ? 0 : list.count()));
        if (list != null && has(list, block, generation)) {
            holder = node.path();
        }
    }

    /** Whether a block is one of a node's. */
    static boolean has(ExtentList list, BlockId id, long generation) {
        for (int i = 0; i < list.count(); i++) {
            if (list.record(i) == id.record()
                    && list.segment(i) == id.segment()
                    && list.server(i) == id.server()
                    && list.generation(i) == generation) {
                return true;
            }
        }
        return false;
    }

    private boolean sessions(State of, Budget budget) {
        for (Session each : of.sessions().all()) {
            if (each.id() < session) {
                continue;
            }
            if (budget.isSpent()) {
                session = each.id();
                return false;
            }
            boolean holds = each.grants().containsKey(block);
            for (Handle handle : each.handles().values()) {
                budget.spend(1);
                holds |= handle instanceof Handle.Lease lease && lease.grants().containsKey(block);
            }
            budget.spend(1);
            if (holds) {
                holder = "session " + each.id();
            }
        }
        return true;
    }
}
