// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.block.BlockState;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.MemberGroup;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.ServerIdentity;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Lifetimes;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.StreamNode;
import io.crail.namenode.tree.StreamRun;
import io.crail.namenode.tree.Totals;
import io.crail.namenode.tree.Window;
import io.crail.protocol.message.MessageType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a recovery must bring back, as lines of text that two states can be compared by.
 * Left out is what is derived from time and from storage servers' reports. Call it in the engine's
 * thread.
 */
final class StateDump {
    private static final HexFormat HEX = HexFormat.of();

    private final State state;
    private final Map<Long, Long> acknowledged;
    private final List<String> lines = new ArrayList<>();

    private StateDump(State state, Map<Long, Long> acknowledged) {
        this.state = state;
        this.acknowledged = acknowledged;
    }

    static StateDump of(State state) {
        return of(state, Map.of());
    }

    /**
     * A dump without the results up to given ids, by session: the log holds acknowledgements only
     * as of the last mutation.
     */
    static StateDump of(State state, Map<Long, Long> acknowledged) {
        StateDump dump = new StateDump(state, acknowledged);
        dump.all();
        return dump;
    }

    /** What the sessions of a state have acknowledged. */
    static Map<Long, Long> acknowledged(State state) {
        Map<Long, Long> acknowledged = new TreeMap<>();
        state.sessions().all().forEach(s -> acknowledged.put(s.id(), s.acknowledged()));
        return acknowledged;
    }

    List<String> lines() {
        return lines;
    }

    private void all() {
        lines.add(
                "last ids: node %d, session %d, version %d"
                        .formatted(state.lastNodeId(), state.lastSessionId(), state.lastVersion()));
        lines.add(state.tiering().toString());
        lines.add(state.tree().extras().xattrBytes() + " bytes of extended attributes");
        Lifetimes lifetimes = state.tree().lifetimes();
        lines.add(lifetimes.size() + " lifetimes, clock " + lifetimes.recorded());
        node(state.tree().root(), "/");
        lines.add("totals " + totals(state.tree().totals()));
        for (Node node : state.tree().detached()) {
            node(node, "(detached)");
        }
        state.sessions().all().stream()
                .sorted(Comparator.comparingLong(Session::id))
                .forEach(this::session);
        lines.add("released" + files(state.released()));
        state.servers().all().stream().map(StateDump::server).forEach(lines::add);
        for (int server : state.blocks().servers()) {
            blocks(server);
        }
    }

    private static String totals(Totals totals) {
        return "%d directories, %d files, %d tables, %d values, %d bytes, %s allocated"
                .formatted(
                        totals.directories(),
                        totals.files(),
                        totals.tables(),
                        totals.keyValues(),
                        totals.length(),
                        totals.byClass());
    }

    private static String name(byte[] name) {
        return HEX.formatHex(name);
    }

    private void node(Node node, String path) {
        String common =
                "%s: %s %d modified %d created %d accessed %d, %d bytes, %d allocated, version %d, %s"
                        .formatted(
                                path,
                                node.type(),
                                node.id(),
                                node.modifiedMillis(),
                                node.createdMillis(),
                                node.accessedMillis(),
                                node.length(),
                                node.allocated(),
                                node.version(),
                                node.attributes());
        for (Map.Entry<String, byte[]> xattr : node.xattrs().entrySet()) {
            common += ", %s = %s".formatted(xattr.getKey(), HEX.formatHex(xattr.getValue()));
        }
        if (!node.quota().isNone()) {
            common += ", " + node.quota();
        }
        if (node.hasDeadline() || node.boundSession() != 0) {
            common += ", until %d or session %d".formatted(node.deadline(), node.boundSession());
        }
        if (node instanceof ContainerNode container) {
            lines.add(common + ", " + container.size() + " children, " + totals(container.below()));
            List<Node> children = new ArrayList<>();
            container.page(null, Integer.MAX_VALUE, children::add);
            for (Node child : children) {
                node(child, path + "/" + name(child.name()));
            }
        } else if (node instanceof FileNode file) {
            lines.add(common + file(file));
        } else if (node instanceof StreamNode stream) {
            lines.add(common + stream(stream));
        } else if (node instanceof KeyValueNode value) {
            ExtentList extents = value.extents();
            lines.add(common + (extents == null ? inline(value) : extents(extents)));
        }
    }

    private String stream(StreamNode stream) {
        StringBuilder text = new StringBuilder();
        text.append(
                ", %s, %d to %d, %d inline"
                        .formatted(
                                stream.retention(),
                                stream.first(),
                                stream.next(),
                                stream.inlineBytes()));
        for (int i = 0; i < stream.runs(); i++) {
            StreamRun run = stream.run(i);
            text.append(
                    " {%d+%d at %d+%d in %d, %d%s}"
                            .formatted(
                                    run.first(),
                                    run.records(),
                                    run.position(),
                                    run.bytes(),
                                    run.blocks(),
                                    run.time(),
                                    run.isInline() ? inline(run.handle()) : ""));
        }
        return text + extents(stream.extents());
    }

    private String inline(KeyValueNode value) {
        return inline(value.inlineHandle());
    }

    private String inline(long handle) {
        ByteBuffer view = state.inline().view(handle);
        byte[] bytes = new byte[view.remaining()];
        view.duplicate().get(bytes);
        return " = " + HEX.formatHex(bytes);
    }

    private static String file(FileNode file) {
        return (file.isSealed() ? ", sealed" : "")
                + (file.isUnlinked() ? ", unlinked at " + file.unlinkedMillis() : "")
                + (file.isOpen() ? ", open" : "")
                + (file.isLeased()
                        ? ", lease " + file.leaseSession() + "/" + file.leaseHandle()
                        : "")
                + (file.formerId() != 0 ? ", was " + file.formerId() : "")
                + extents(file.extents())
                + window(file.window());
    }

    private static String window(@Nullable Window window) {
        return window == null
                ? ""
                : " (%d bytes from %d of %d, at last %d crc %x)%s"
                        .formatted(
                                window.length(),
                                window.base(),
                                window.lender().id(),
                                window.tailLength(),
                                window.tailCrc(),
                                window.lender().isUnlinked() ? file(window.lender()) : "");
    }

    private static String extents(ExtentList list) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < list.count(); i++) {
            text.append(
                    " [%d+%d in %d/%d/%d of %d g%x crc %x]"
                            .formatted(
                                    list.offset(i),
                                    list.length(i),
                                    list.server(i),
                                    list.segment(i),
                                    list.record(i),
                                    list.blockLength(i),
                                    list.generation(i),
                                    list.tailCrc(i)));
        }
        return text.toString();
    }

    private void session(Session session) {
        lines.add(
                "session %d token %s %s"
                        .formatted(
                                session.id(),
                                HEX.formatHex(session.identity().token()),
                                session.identity().name()));
        long known = Math.max(session.acknowledged(), acknowledged.getOrDefault(session.id(), 0L));
        session.results().tailMap(known, false).forEach((id, r) -> lines.add(result(id, r)));
        session.handles().values().stream()
                .sorted(Comparator.comparingLong(Handle::id))
                .forEach(this::handle);
        session.groups().values().stream()
                .sorted(Comparator.comparingLong(MemberGroup::id))
                .map(group -> "  members " + group.id() + files(group.members()))
                .forEach(lines::add);
        grants(session.grants().values());
    }

    private static String files(Collection<FileNode> files) {
        StringBuilder text = new StringBuilder();
        for (FileNode file : files) {
            text.append(" ").append(file.id());
            text.append(file.isUnlinked() ? " unlinked" + file(file) : "");
        }
        return text.toString();
    }

    /** Of answers that show what is derived only the rest. */
    private static String result(long id, Session.Result result) {
        byte[] control = result.control();
        if (result.type() == MessageType.KEEP_ALIVE.wire()) {
            control = new byte[0]; // The version of the server table.
        } else if (result.type() == MessageType.DRAIN.wire()) {
            control = new byte[0]; // Whether the server is there.
        } else if (result.type() == MessageType.OPEN.wire()
                || result.type() == MessageType.OPEN_MEMBERS.wire()) {
            control = Arrays.copyOf(control, 8); // References may be marked as lost.
        }
        return "  result " + id + " type " + result.type() + " " + HEX.formatHex(control);
    }

    private void handle(Handle handle) {
        boolean created = handle instanceof Handle.Lease lease && lease.created();
        FileNode file = handle.file();
        lines.add(
                "  %s %d on %d%s%s"
                        .formatted(
                                handle.getClass().getSimpleName(),
                                handle.id(),
                                file.id(),
                                created ? " created" : "",
                                file.isUnlinked() ? " unlinked" + file(file) : ""));
        if (handle instanceof Handle.Lease lease) {
            grants(lease.grants().values());
        }
    }

    private void grants(Iterable<GrantedBlock> grants) {
        StreamSupport.stream(grants.spliterator(), false)
                .map(grant -> "    granted " + grant)
                .sorted()
                .forEach(lines::add);
    }

    private static String server(ServerIdentity server) {
        return "server %d %s %s %s class %d at %s key %s %s"
                .formatted(
                        server.id(),
                        server.uuid(),
                        server.host(),
                        server.tier(),
                        server.storageClass(),
                        server.locationClass(),
                        HEX.formatHex(server.sealKey()),
                        server.endpoints());
    }

    private void blocks(int server) {
        lines.add(
                "server %d orphans %d suspect %b"
                        .formatted(
                                server,
                                state.blocks().orphans(server),
                                state.blocks().fencing().isSuspect(server)));
        for (int segment : state.blocks().segments(server)) {
            lines.add(
                    "segment %d/%d incarnation %x of %d bytes, fenced %b"
                            .formatted(
                                    server,
                                    segment,
                                    state.blocks().incarnation(server, segment),
                                    state.blocks().dataBytes(server, segment),
                                    state.blocks().fencing().isFenced(server, segment)));
            for (int slab = 0; slab < state.blocks().slabCount(server, segment); slab++) {
                state.blocks().visitSlab(server, segment, slab, this::block);
            }
        }
    }

    /**
     * The generation of a block being revoked may be corrected by a report, which is not logged.
     */
    private void block(int record, int length, BlockState blockState, long generation) {
        long stored = blockState == BlockState.REVOKING ? 0 : generation;
        // There are thousands of them, and formatting takes ten times as long.
        lines.add(
                "  block "
                        + record
                        + " of "
                        + length
                        + " "
                        + blockState
                        + " g"
                        + Long.toHexString(stored));
    }
}
