// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.namenode.index.NameIndex;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the namespace. Fields are package-private: only {@link Tree} and what it consists of
 * ({@link FileChanges}, {@link StreamChanges} and others) change them, after {@link Tree#touch}.
 *
 * <p>Every node is in one doubly linked list, newest first, which a snapshot walks: removal is safe
 * at any time, and nodes made during the walk are behind its cursor. Two references per node are
 * the price of a walk that never pauses.
 */
public abstract sealed class Node extends NameIndex.Entry
        permits ContainerNode, FileNode, KeyValueNode, StreamNode {
    private static final byte[] NO_NAME = {};

    final long id;
    @Nullable ContainerNode parent;
    @Nullable Node newer;
    @Nullable Node older;

    /** Number of the snapshot that holds this node already, or that began before it existed. */
    int snapshot;

    AttributeSource attributes;
    long modifiedMillis;

    Node(long id, AttributePool.Interned attributes, long modifiedMillis) {
        super(NO_NAME, 0);
        this.id = id;
        this.attributes = attributes;
        this.modifiedMillis = modifiedMillis;
    }

    public abstract NodeType type();

    public final long id() {
        return id;
    }

    /** Only while the node is in no index. */
    final void setName(byte[] name, int hash) {
        rename(name, hash);
    }

    public final @Nullable ContainerNode parent() {
        return parent;
    }

    public final Attributes attributes() {
        return attributes.get();
    }

    final @Nullable Extras extras() {
        return attributes.extras();
    }

    /** Whether its time to live ends some time. */
    public final boolean hasDeadline() {
        Extras extras = extras();
        return extras != null && extras.deadline != Extras.NO_DEADLINE;
    }

    /** When it goes, by the clock of {@link Lifetimes}; {@link Long#MAX_VALUE} = never. */
    public final long deadline() {
        Extras extras = extras();
        return extras == null ? Extras.NO_DEADLINE : extras.deadline;
    }

    /** Milliseconds left to live, -1 = without an end. */
    public final long remainingMillis() {
        Extras extras = extras();
        return extras == null || extras.deadline == Extras.NO_DEADLINE
                ? -1
                : Math.max(0, extras.deadline - extras.lifetimes.now());
    }

    /** Extended attributes by name; not to be changed. */
    public final Map<String, byte[]> xattrs() {
        Extras extras = extras();
        return extras == null || extras.xattrs == null ? Map.of() : extras.xattrs;
    }

    /** What may lie below it at most. */
    public final Quota quota() {
        Extras extras = extras();
        return extras == null || extras.quota == null ? Quota.NONE : extras.quota;
    }

    /** The session with which it goes, or 0. */
    public final long boundSession() {
        Extras extras = extras();
        return extras == null ? 0 : extras.session;
    }

    public final long modifiedMillis() {
        return modifiedMillis;
    }

    /** Committed bytes of the node itself. */
    public abstract long length();

    /** Bytes of the blocks the node itself holds. */
    public abstract long allocated();

    /** Its bytes, or null if it is a container or its bytes are inline. */
    public abstract @Nullable ExtentList extents();

    /** Number of these blocks. */
    public abstract int blocks();

    public abstract long version();

    public abstract long createdMillis();

    public long accessedMillis() {
        return modifiedMillis;
    }

    abstract int statusFlags();

    /** Appends what {@link NodeStatus#encode} would, without making an object. */
    public final void encodeStatus(WireWriter writer) {
        AttributePool.Interned shared = attributes.shared();
        int flags =
                statusFlags()
                        | (shared.get().checksums() ? NodeStatus.CHECKSUMS : 0)
                        | (boundSession() != 0 ? NodeStatus.SESSION_BOUND : 0);
        long allocated = allocated();
        long children = 0;
        if (this instanceof ContainerNode container) {
            allocated = container.below.allocated;
            children = container.size();
        } else if (this instanceof StreamNode stream) {
            children = stream.next - stream.first;
        }
        int mark = writer.beginRecord();
        writer.i64(id).u8(type().wire()).u8(flags).u16(shared.get().mode());
        writer.i32(shared.get().storageClass()).i64(length()).i64(allocated);
        writer.i64(modifiedMillis).i64(accessedMillis()).i64(createdMillis());
        writer.i64(version()).i64(remainingMillis()).i64(children);
        writer.bytes(shared.owner()).bytes(shared.group()).bytes(shared.location());
        writer.endRecord(mark);
    }

    /** The full path, for messages; a detached node shows where it starts. */
    public final String path() {
        StringBuilder path = new StringBuilder();
        Node node = this;
        while (node.parent != null) {
            path.insert(0, "/" + new String(node.name(), java.nio.charset.StandardCharsets.UTF_8));
            node = node.parent;
        }
        if (node.id != Tree.ROOT_ID) {
            path.insert(0, "(removed node " + node.id + ")");
        }
        return path.isEmpty() ? "/" : path.toString();
    }
}
