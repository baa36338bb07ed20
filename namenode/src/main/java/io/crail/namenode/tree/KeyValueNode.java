// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.protocol.node.NodeType;
import org.jspecify.annotations.Nullable;

/**
 * A value in a TABLE. There may be millions: no field that can be derived. Immutable but for its
 * place in the tree; a put replaces the node.
 */
public final class KeyValueNode extends Node {
    private final long version;

    /** Handle of the inline value, or {@link #NOT_INLINE}. */
    final long inlineHandle;

    private final int inlineLength;
    final @Nullable ExtentList extents;

    /** No handle of inline memory has this value. */
    public static final long NOT_INLINE = -1;

    KeyValueNode(
            long id,
            AttributePool.Interned attributes,
            long modifiedMillis,
            long version,
            long inlineHandle,
            int inlineLength,
            @Nullable ExtentList extents) {
        super(id, attributes, modifiedMillis);
        assert (inlineHandle == NOT_INLINE) == (extents != null);
        this.version = version;
        this.inlineHandle = inlineHandle;
        this.inlineLength = inlineLength;
        this.extents = extents;
    }

    @Override
    public NodeType type() {
        return NodeType.KEYVALUE;
    }

    public boolean isInline() {
        return extents == null;
    }

    public long inlineHandle() {
        return inlineHandle;
    }

    @Override
    public @Nullable ExtentList extents() {
        return extents;
    }

    @Override
    public long length() {
        return extents == null ? inlineLength : extents.length();
    }

    @Override
    public long allocated() {
        return extents == null ? 0 : extents.allocated();
    }

    @Override
    public int blocks() {
        return extents == null ? 0 : extents.count();
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public long createdMillis() {
        return modifiedMillis;
    }

    @Override
    int statusFlags() {
        return 0;
    }
}
