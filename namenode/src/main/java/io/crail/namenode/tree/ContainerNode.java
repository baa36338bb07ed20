// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.namenode.index.NameIndex;
import io.crail.protocol.node.NodeType;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A DIRECTORY, a MULTIFILE or a TABLE. */
public final class ContainerNode extends Node {
    private final NodeType type;
    final NameIndex<Node> children;
    final Totals below = new Totals();
    long createdMillis;

    /** How many DIRECTORIES in it have each height; null in one without any. Derived. */
    private @Nullable TreeMap<Integer, Integer> heights;

    ContainerNode(
            long id,
            NodeType type,
            AttributePool.Interned attributes,
            NameIndex<Node> children,
            long createdMillis,
            long modifiedMillis) {
        super(id, attributes, modifiedMillis);
        assert type.isContainer();
        this.type = type;
        this.children = children;
        this.createdMillis = createdMillis;
    }

    @Override
    public NodeType type() {
        return type;
    }

    /** Whether what is in it has names, and so paths; else it has keys. */
    public boolean hasNames() {
        return type != NodeType.TABLE;
    }

    public int size() {
        return children.size();
    }

    /** Sums over everything below; the node itself is not counted. */
    public Totals below() {
        return below;
    }

    /**
     * Levels of paths below it: 0 when empty, and for a TABLE, whose keys are no names. Exact at
     * all times, so that a rename can be checked without a walk.
     */
    public int height() {
        if (type != NodeType.DIRECTORY || children.size() == 0) {
            return 0;
        }
        return 1 + (heights == null ? 0 : heights.lastKey());
    }

    /** Counts a DIRECTORY in it of this height. */
    void addHeight(int height) {
        if (heights == null) {
            heights = new TreeMap<>();
        }
        heights.merge(height, 1, Integer::sum);
    }

    void removeHeight(int height) {
        TreeMap<Integer, Integer> counts = Objects.requireNonNull(heights);
        int left = Objects.requireNonNull(counts.get(height)) - 1;
        if (left > 0) {
            counts.put(height, left);
        } else {
            counts.remove(height);
            if (counts.isEmpty()) {
                heights = null;
            }
        }
    }

    /** The child with a name given as bytes in a buffer, by absolute position. No allocation. */
    public @Nullable Node find(ByteBuffer buffer, int offset, int length) {
        return children.find(buffer, offset, length);
    }

    public @Nullable Node find(byte[] name) {
        return children.find(name);
    }

    public @Nullable Node first() {
        return children.first();
    }

    /**
     * Up to {@code limit} children behind {@code cursor} (null: from the start), in order; true if
     * more follow.
     */
    public boolean page(byte @Nullable [] cursor, int limit, Consumer<Node> consumer) {
        return children.page(cursor, limit, consumer);
    }

    @Override
    public long length() {
        return 0;
    }

    @Override
    public long allocated() {
        return 0;
    }

    @Override
    public @Nullable ExtentList extents() {
        return null;
    }

    @Override
    public int blocks() {
        return 0;
    }

    @Override
    public long version() {
        return 0;
    }

    @Override
    public long createdMillis() {
        return createdMillis;
    }

    @Override
    int statusFlags() {
        return 0;
    }
}
