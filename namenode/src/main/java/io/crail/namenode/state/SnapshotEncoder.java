// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.MemberGroup;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.StreamNode;
import io.crail.namenode.tree.Window;
import io.crail.protocol.frame.WireWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Writes the state as it is at {@link #begin}, while it changes: sessions, nodes and slabs announce
 * themselves before their first change and are written then; the rest is written in slices by
 * {@link #advance}. What is small (counters, servers) is written at once. So the file holds exactly
 * the state between two log records.
 *
 * <p>A file of a million extents does not announce all of them in one go: its record holds the last
 * piece, the only one that changes in place; the others follow in the slices, from a list that
 * shares them, and outlives the file.
 */
public final class SnapshotEncoder {
    private static final int DETACHED_PART = 10_000;

    private final State state;
    private final SnapshotSink sink;
    private final Map<Attributes, Integer> attributes = new HashMap<>();
    private final List<SegmentSlabs> segments = new ArrayList<>();
    private int segment;
    private int slab;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int waitingFrom;
    private boolean sessionsDone;
    private boolean nodesDone;

    /** Extents before {@code end} of a file whose record is written. The file may be gone. */
    private record Waiting(long id, ExtentList extents, int end) {}

    private record SegmentSlabs(int server, int segment, int slabs) {}

    public SnapshotEncoder(State state, SnapshotSink sink) {
        this.state = state;
        this.sink = sink;
    }

    public void begin() {
        header();
        for (ServerIdentity server : state.servers().all()) {
            WireWriter writer = sink.begin(SnapshotRecord.SERVER);
            server.encode(writer);
            writer.bool(state.servers().isDraining(server.id()));
            sink.end();
        }
        state.sessions().beginSnapshot(this::session);
        state.tree().walk().begin(this::node);
        for (int server : state.blocks().servers()) {
            segments(server);
        }
        state.blocks().images().begin(this::slab);
    }

    /** Writes about {@code limit} objects more; false when the snapshot is complete. */
    public boolean advance(int limit) {
        if (!waiting.isEmpty()) {
            part();
            return true;
        }
        if (!sessionsDone) {
            sessionsDone = !state.sessions().continueSnapshot();
            return true;
        }
        if (!nodesDone) {
            nodesDone = !state.tree().walk().proceed(limit);
            return true;
        }
        for (int i = 0; i < limit && segment < segments.size(); i++) {
            SegmentSlabs current = segments.get(segment);
            // A segment may have been replaced by a smaller one; its slabs were saved before.
            int slabs = state.blocks().slabCount(current.server, current.segment);
            if (slab < Math.min(current.slabs, slabs)) {
                slab(current.server, current.segment, slab++);
            } else {
                segment++;
                slab = 0;
            }
        }
        return segment < segments.size();
    }

    /** Must be called in the end, whether complete or not. */
    public void end() {
        state.sessions().endSnapshot();
        state.tree().walk().end();
        state.blocks().images().end();
    }

    private void header() {
        WireWriter writer = sink.begin(SnapshotRecord.HEADER);
        writer.i64(state.epoch()).string(state.bootId()).u8(state.durability().code());
        writer.i64(state.lastNodeId()).i64(state.lastSessionId()).i64(state.lastVersion());
        writer.i64(state.tree().lifetimes().recorded());
        state.tiering().encode(writer);
        sink.end();
        List<Long> part = new ArrayList<>();
        for (Node node : state.tree().detached()) {
            part.add(node.id());
            if (part.size() == DETACHED_PART) {
                detached(part);
                part.clear();
            }
        }
        detached(part);
        part.clear();
        for (FileNode member : state.released()) {
            part.add(member.id());
            if (part.size() == DETACHED_PART) {
                ids(SnapshotRecord.RELEASED_MEMBERS, part);
                part.clear();
            }
        }
        ids(SnapshotRecord.RELEASED_MEMBERS, part);
    }

    private void detached(List<Long> ids) {
        ids(SnapshotRecord.DETACHED, ids);
    }

    private void ids(int kind, List<Long> ids) {
        Lists.encode(sink.begin(kind), ids, (id, w) -> w.i64(id));
        sink.end();
    }

    private void session(Session session) {
        WireWriter writer = sink.begin(SnapshotRecord.SESSION);
        session.identity().encode(writer);
        writer.i64(session.acknowledged());
        sink.end();
        session.results()
                .forEach(
                        (id, result) -> {
                            sink.begin(SnapshotRecord.SESSION_RESULT)
                                    .i64(session.id())
                                    .i64(id)
                                    .u16(result.type())
                                    .i32(result.control().length)
                                    .raw(result.control());
                            sink.end();
                        });
        session.handles().values().forEach(handle -> handle(session, handle));
        session.groups().values().forEach(group -> group(session, group));
        for (GrantedBlock grant : session.grants().values()) {
            grant.encode(sink.begin(SnapshotRecord.SESSION_GRANT).i64(session.id()));
            sink.end();
        }
    }

    private void handle(Session session, Handle handle) {
        WireWriter writer = sink.begin(SnapshotRecord.SESSION_HANDLE);
        writer.i64(session.id()).i64(handle.id()).i64(handle.file().id());
        if (handle instanceof Handle.Lease lease) {
            writer.u8(lease.created() ? HandleKind.CREATING : HandleKind.APPENDING);
            Lists.encode(writer, List.copyOf(lease.grants().values()), GrantedBlock::encode);
        } else {
            writer.u8(HandleKind.READING);
        }
        sink.end();
    }

    private void group(Session session, MemberGroup group) {
        WireWriter writer = sink.begin(SnapshotRecord.SESSION_MEMBERS);
        writer.i64(session.id()).i64(group.id());
        Lists.encode(writer, group.members(), (member, w) -> w.i64(member.id()));
        sink.end();
    }

    private void segments(int server) {
        for (int number : state.blocks().segments(server)) {
            sink.begin(SnapshotRecord.SEGMENT)
                    .i32(server)
                    .i32(number)
                    .i32(state.blocks().incarnation(server, number))
                    .i64(state.blocks().dataBytes(server, number))
                    .bool(state.blocks().fencing().isFenced(server, number));
            sink.end();
            segments.add(
                    new SegmentSlabs(server, number, state.blocks().slabCount(server, number)));
        }
        sink.begin(SnapshotRecord.ORPHANS)
                .i32(server)
                .i64(state.blocks().orphans(server))
                .bool(state.blocks().fencing().isSuspect(server));
        sink.end();
    }

    private void slab(int server, int number, int index) {
        WireWriter writer = sink.begin(SnapshotRecord.SLAB);
        if (state.blocks().images().encode(server, number, index, writer)) {
            sink.end();
        } else {
            sink.abandon();
        }
    }

    private int number(Attributes value) {
        Integer known = attributes.get(value);
        if (known != null) {
            return known;
        }
        int number = attributes.size();
        attributes.put(value, number);
        WireWriter writer = sink.begin(SnapshotRecord.ATTRIBUTES);
        value.encode(writer);
        sink.end();
        return number;
    }

    private void node(Node node) {
        int number = number(node.attributes());
        if (node instanceof StreamNode stream) {
            StreamImage.encode(state, sink, head(SnapshotRecord.STREAM, node, number), stream);
        } else {
            simple(node, number);
        }
        extras(node);
    }

    /** All types but streams: one record, and that is it. */
    private void simple(Node node, int number) {
        if (node instanceof ContainerNode container) {
            WireWriter writer = head(SnapshotRecord.CONTAINER, node, number);
            writer.u8(container.type().wire()).i64(container.createdMillis());
        } else if (node instanceof FileNode file) {
            file(file, number);
        } else if (node instanceof KeyValueNode value) {
            if (value.isInline()) {
                WireWriter writer = head(SnapshotRecord.INLINE_VALUE, node, number);
                writer.i64(value.version());
                writer.raw(state.inline().view(value.inlineHandle()));
            } else {
                WireWriter writer = head(SnapshotRecord.BLOCK_VALUE, node, number);
                writer.i64(value.version());
                ExtentList extents = Objects.requireNonNull(value.extents());
                extents.encode(writer, 0, extents.count());
            }
        }
        sink.end();
    }

    /** What few nodes have, behind the records of the node. */
    private void extras(Node node) {
        if (!node.xattrs().isEmpty()) {
            WireWriter writer = sink.begin(SnapshotRecord.XATTRS).i32(node.xattrs().size());
            node.xattrs().forEach((name, value) -> writer.string(name).bytes(value));
            sink.end();
        }
        if (!node.quota().isNone()) {
            node.quota().encode(sink.begin(SnapshotRecord.QUOTA));
            sink.end();
        }
        if (node instanceof FileNode file && (file.window() != null || file.formerId() != 0)) {
            window(file.window(), file.formerId());
        }
        if (node.hasDeadline() || node.boundSession() != 0) {
            sink.begin(SnapshotRecord.LIFETIME).i64(node.deadline()).i64(node.boundSession());
            sink.end();
        }
    }

    private void window(@Nullable Window window, long formerId) {
        WireWriter writer = sink.begin(SnapshotRecord.WINDOW);
        if (window == null) {
            writer.i64(0).i64(0).i64(0).i32(0).i32(0);
        } else {
            writer.i64(window.lender().id()).i64(window.base()).i64(window.length());
            writer.i32(window.tailLength()).i32(window.tailCrc());
        }
        writer.i64(formerId);
        sink.end();
    }

    /** With the last piece of its extents; the ones before are kept as they are and can wait. */
    private void file(FileNode file, int number) {
        ExtentList extents = file.extents();
        int later = Math.max(0, extents.count() - 1) / ExtentList.PART * ExtentList.PART;
        WireWriter writer =
                head(later == 0 ? SnapshotRecord.FILE : SnapshotRecord.LONG_FILE, file, number);
        writer.i64(file.createdMillis()).i64(file.accessedMillis()).i64(file.version());
        writer.bool(file.isSealed()).bool(file.isUnlinked()).i64(file.unlinkedMillis());
        extents.encode(writer, later, extents.count());
        if (later > 0) {
            writer.i32(later);
            waiting.add(new Waiting(file.id(), extents.frozen(), later));
        }
    }

    /** Writes one piece of a file that was saved before. */
    private void part() {
        Waiting file = waiting.element();
        WireWriter writer = sink.begin(SnapshotRecord.EXTENTS).i64(file.id).i32(waitingFrom);
        file.extents.encode(writer, waitingFrom, waitingFrom + ExtentList.PART);
        sink.end();
        waitingFrom += ExtentList.PART;
        if (waitingFrom == file.end) {
            waitingFrom = 0;
            waiting.remove();
        }
    }

    private WireWriter head(int kind, Node node, int attributes) {
        WireWriter writer = sink.begin(kind);
        ContainerNode parent = node.parent();
        writer.i64(node.id()).i64(parent == null ? 0 : parent.id()).bytes(node.name());
        return writer.i32(attributes).i64(node.modifiedMillis());
    }
}
