// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import org.jspecify.annotations.Nullable;

/**
 * All nodes in the order in which they were made, and the walk of a snapshot over them, in slices,
 * while they change: a node is saved when the walk comes by it or, if that is earlier, before its
 * first change. Nodes that are made during the walk are not part of it, so it goes from the newest
 * one of its beginning to the oldest.
 *
 * <p>Each node is linked to its neighbours in this order and has the number of the last snapshot
 * that need not save it any more.
 */
public final class SnapshotWalk {
    /** So many blocks take a snapshot as long as one more node. */
    private static final int BLOCKS_LIKE_A_NODE = 16;

    /** Told before a node changes or goes, and only if the running snapshot lacks it. */
    @FunctionalInterface
    public interface Hook {
        void save(Node node);
    }

    private @Nullable Node newest;
    private @Nullable Node cursor;
    private @Nullable Hook hook;
    private int snapshot;
    private long nodes;

    SnapshotWalk() {}

    long nodes() {
        return nodes;
    }

    void add(Node node) {
        node.snapshot = snapshot;
        node.older = newest;
        if (newest != null) {
            newest.newer = node;
        }
        newest = node;
        nodes++;
    }

    /** Forgets a node, which has been touched. */
    void remove(Node node) {
        nodes--;
        if (cursor == node) {
            cursor = node.older;
        }
        if (node.newer != null) {
            node.newer.older = node.older;
        } else {
            newest = node.older;
        }
        if (node.older != null) {
            node.older.newer = node.newer;
        }
    }

    /** To be called before any change of {@code node}. */
    void touch(Node node) {
        if (node.snapshot != snapshot) {
            node.snapshot = snapshot;
            if (hook != null) {
                hook.save(node);
            }
        }
    }

    /**
     * Starts a walk over the nodes that exist now. From here on {@code hook} is told of every node
     * before its first change.
     */
    public void begin(Hook hook) {
        if (this.hook != null) {
            throw new IllegalStateException("a snapshot is running");
        }
        this.hook = hook;
        snapshot++;
        cursor = newest;
    }

    /**
     * Saves up to {@code limit} nodes, fewer if they have many blocks; false when all nodes have
     * been visited.
     */
    public boolean proceed(int limit) {
        for (int i = 0; i < limit && cursor != null; i++) {
            Node node = cursor;
            cursor = node.older;
            i += node.blocks() / BLOCKS_LIKE_A_NODE;
            touch(node);
        }
        return cursor != null;
    }

    public void end() {
        hook = null;
        cursor = null;
    }
}
