// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.frame.WireWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes the state as it is at {@link #begin}, while it changes: nodes and slabs announce
 * themselves before their first change and are written then; the rest is written in slices by {@link
 * #advance}. What is small (servers, sessions) is written at once. So the file holds exactly the
 * state between two log records.
 */
public final class SnapshotEncoder {
    private final State state;
    private final SnapshotSink sink;
    private final Map<Attributes, Integer> attributes = new HashMap<>();
    private boolean nodesDone;

    public SnapshotEncoder(State state, SnapshotSink sink) {
        this.state = state;
        this.sink = sink;
    }

    public void begin() {
        header();
        for (ServerIdentity server : state.servers().all()) {
            WireWriter writer = sink.begin().u8(SnapshotRecord.SERVER);
            server.encode(writer);
            sink.end();
        }
        state.sessions().forEach(this::session);
        state.tree().beginSnapshot(this::node);
        state.blocks().beginSnapshot(this::segment, this::slab);
    }

    /** Writes about {@code limit} objects more; false when the snapshot is complete. */
    public boolean advance(int limit) {
        if (!nodesDone) {
            nodesDone = !state.tree().continueSnapshot(limit);
            return true;
        }
        return state.blocks().continueSnapshot(limit);
    }

    /** Must be called in the end, whether complete or not. */
    public void end() {
        state.tree().endSnapshot();
        state.blocks().endSnapshot();
    }

    private void header() {
        WireWriter writer = sink.begin().u8(SnapshotRecord.HEADER);
        writer.i64(state.epoch()).string(state.bootId());
        writer.i64(state.lastNodeId()).i64(state.lastSessionId()).i64(state.lastVersion());
        List<Long> order = new ArrayList<>();
        state.tree().detached().forEach(container -> order.add(container.id()));
        Lists.encode(writer, order, (id, w) -> w.i64(id));
        sink.end();
    }

    private void session(Session session) {
        WireWriter writer = sink.begin().u8(SnapshotRecord.SESSION);
        session.identity().encode(writer);
        writer.i64(session.acknowledged());
        writer.i32(session.results().size());
        session.results()
                .forEach(
                        (id, result) -> {
                            writer.i64(id).u16(result.type()).i32(result.control().length);
                            writer.raw(result.control());
                        });
        writer.i32(session.handles().size());
        for (Handle handle : session.handles().values()) {
            writer.i64(handle.id()).i64(handle.file().id());
            if (handle instanceof Handle.Lease lease) {
                writer.u8(lease.created() ? 2 : 1);
                Lists.encode(writer, List.copyOf(lease.grants().values()), GrantedBlock::encode);
            } else {
                writer.u8(0);
            }
        }
        Lists.encode(writer, List.copyOf(session.grants().values()), GrantedBlock::encode);
        sink.end();
    }

    private void segment(int server, int segment, int incarnation, long dataBytes) {
        sink.begin()
                .u8(SnapshotRecord.SEGMENT)
                .i32(server)
                .i32(segment)
                .i32(incarnation)
                .i64(dataBytes);
        sink.end();
    }

    private void slab(int server, int segment, int slab) {
        WireWriter writer = sink.begin().u8(SnapshotRecord.SLAB);
        writer.i32(server).i32(segment).i32(slab);
        state.blocks().encodeSlab(server, segment, slab, writer);
        sink.end();
    }

    private int number(Attributes value) {
        Integer known = attributes.get(value);
        if (known != null) {
            return known;
        }
        int number = attributes.size();
        attributes.put(value, number);
        WireWriter writer = sink.begin().u8(SnapshotRecord.ATTRIBUTES);
        value.encode(writer);
        sink.end();
        return number;
    }

    private void node(Node node) {
        int number = number(node.attributes());
        WireWriter writer = sink.begin();
        if (node instanceof ContainerNode container) {
            head(writer.u8(SnapshotRecord.CONTAINER), node, number);
            writer.u8(container.type().wire()).i64(container.createdMillis());
        } else if (node instanceof FileNode file) {
            head(writer.u8(SnapshotRecord.FILE), node, number);
            writer.i64(file.createdMillis()).i64(file.accessedMillis()).i64(file.version());
            writer.bool(file.isSealed()).bool(file.isUnlinked()).i64(file.unlinkedMillis());
            file.extents().encode(writer);
        } else if (node instanceof KeyValueNode value) {
            if (value.isInline()) {
                head(writer.u8(SnapshotRecord.INLINE_VALUE), node, number);
                writer.i64(value.version());
                writer.raw(state.inline().view(value.inlineHandle()));
            } else {
                head(writer.u8(SnapshotRecord.BLOCK_VALUE), node, number);
                writer.i64(value.version());
                Objects.requireNonNull(value.extents()).encode(writer);
            }
        }
        sink.end();
    }

    private static void head(WireWriter writer, Node node, int attributes) {
        ContainerNode parent = node.parent();
        writer.i64(node.id()).i64(parent == null ? 0 : parent.id()).bytes(node.name());
        writer.i32(attributes).i64(node.modifiedMillis());
    }
}
