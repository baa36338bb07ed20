// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.log.Durability;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.Session;
import io.crail.namenode.session.SessionIdentity;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Quota;
import io.crail.namenode.tree.StreamNode;
import io.crail.namenode.tree.Tree;
import io.crail.namenode.tree.Window;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.NodeType;
import io.crail.protocol.node.Xattrs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a state from the records of a snapshot. Records come in any order but that of {@link
 * SnapshotEncoder}'s rules (attributes before their users), so names are linked and handles
 * restored when all nodes are there: {@link #finish}.
 */
public final class SnapshotLoader {
    private final State state;
    private final List<Attributes> attributes = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<byte[]> names = new ArrayList<>();
    private final List<Runnable> windows = new ArrayList<>();
    private final List<Runnable> handles = new ArrayList<>();
    private final List<Long> detached = new ArrayList<>();
    private final List<Long> released = new ArrayList<>();
    private final LongFiles longFiles = new LongFiles();
    private @Nullable StreamNode stream;
    private long[] parents = new long[1024];

    public SnapshotLoader(State state) {
        this.state = state;
    }

    /** Takes one record. */
    public void record(int kind, WireReader reader) throws ProtocolException {
        switch (kind) {
            case SnapshotRecord.HEADER -> header(reader);
            case SnapshotRecord.DETACHED ->
                    detached.addAll(Lists.decode(reader, 8, WireReader::i64));
            case SnapshotRecord.SERVER -> {
                ServerIdentity server = ServerIdentity.decode(reader);
                new RegisterStorage(server).apply(state, Mutation.Origin.NAMENODE);
                state.servers().setDraining(server.id(), reader.bool());
            }
            case SnapshotRecord.SEGMENT -> segment(reader);
            case SnapshotRecord.SLAB -> state.blocks().images().decode(reader);
            case SnapshotRecord.ORPHANS -> orphans(reader);
            case SnapshotRecord.SESSION -> session(reader);
            case SnapshotRecord.SESSION_RESULT -> result(reader);
            case SnapshotRecord.SESSION_HANDLE -> handleLater(reader);
            case SnapshotRecord.SESSION_GRANT -> grant(reader);
            case SnapshotRecord.SESSION_MEMBERS -> groupLater(reader);
            case SnapshotRecord.RELEASED_MEMBERS ->
                    released.addAll(Lists.decode(reader, 8, WireReader::i64));
            case SnapshotRecord.LIFETIME -> lifetime(reader);
            case SnapshotRecord.XATTRS -> xattrs(reader);
            case SnapshotRecord.WINDOW -> windowLater(reader);
            case SnapshotRecord.QUOTA ->
                    state.tree()
                            .extras()
                            .setQuota((ContainerNode) lastNode(), Quota.decode(reader));
            case SnapshotRecord.ATTRIBUTES -> attributes.add(Attributes.decode(reader));
            case SnapshotRecord.STREAM_INLINE, SnapshotRecord.STREAM_BLOCKS -> {
                if (stream == null) {
                    throw new ProtocolException("snapshot has a run before its stream");
                }
                StreamImage.decodeRun(state, stream, kind == SnapshotRecord.STREAM_INLINE, reader);
            }
            case SnapshotRecord.EXTENTS -> longFiles.part(reader);
            case SnapshotRecord.CONTAINER,
                    SnapshotRecord.STREAM,
                    SnapshotRecord.FILE,
                    SnapshotRecord.LONG_FILE,
                    SnapshotRecord.INLINE_VALUE,
                    SnapshotRecord.BLOCK_VALUE ->
                    node(kind, reader);
            default -> throw new ProtocolException("snapshot record of unknown kind " + kind);
        }
    }

    private void header(WireReader reader) throws ProtocolException {
        state.setEpoch(reader.i64(), reader.string(Names.MAX_NAME), Durability.ofCode(reader.u8()));
        state.useNodeId(reader.i64());
        state.useSessionId(reader.i64());
        state.useVersion(reader.i64());
        if (reader.remaining() > 0) {
            state.tree().lifetimes().record(reader.i64());
        }
        if (reader.remaining() > 0) {
            state.setTiering(Tiering.decode(reader));
        }
    }

    private void segment(WireReader reader) throws ProtocolException {
        AddSegment segment = AddSegment.decode(reader);
        // A server's own mark comes behind its segments.
        state.blocks().fencing().setSuspect(segment.server(), !reader.bool());
        segment.apply(state, Mutation.Origin.NAMENODE);
    }

    private void orphans(WireReader reader) throws ProtocolException {
        int server = reader.i32();
        state.blocks().setOrphans(server, reader.i64());
        state.blocks().fencing().setSuspect(server, reader.bool());
    }

    private void node(int kind, WireReader reader) throws ProtocolException {
        long id = reader.i64();
        long parent = reader.i64();
        byte[] name = reader.bytes(Names.MAX_KEY);
        int number = reader.i32();
        if (number < 0 || number >= attributes.size()) {
            throw new ProtocolException("snapshot names unknown attributes " + number);
        }
        Attributes shared = attributes.get(number);
        long modified = reader.i64();
        Node node =
                switch (kind) {
                    case SnapshotRecord.CONTAINER -> container(id, shared, modified, reader);
                    case SnapshotRecord.FILE, SnapshotRecord.LONG_FILE ->
                            file(kind, id, shared, modified, reader);
                    case SnapshotRecord.STREAM -> {
                        stream = StreamImage.decode(state.tree(), id, shared, modified, reader);
                        yield stream;
                    }
                    case SnapshotRecord.INLINE_VALUE -> {
                        long version = reader.i64();
                        int length = reader.remaining();
                        long handle = state.allocateInline(reader.view(length));
                        yield state.tree()
                                .newInlineValue(id, shared, modified, version, handle, length);
                    }
                    default -> {
                        long version = reader.i64();
                        ExtentList extents = new ExtentList();
                        extents.decode(reader);
                        yield state.tree().newBlockValue(id, shared, modified, version, extents);
                    }
                };
        if (parents.length == nodes.size()) {
            parents = java.util.Arrays.copyOf(parents, 2 * parents.length);
        }
        parents[nodes.size()] = parent;
        nodes.add(node);
        names.add(name);
    }

    private Node container(long id, Attributes shared, long modified, WireReader reader)
            throws ProtocolException {
        NodeType type = NodeType.ofWire(reader.u8());
        long created = reader.i64();
        Tree tree = state.tree();
        if (id == Tree.ROOT_ID) {
            tree.setAttributes(tree.root(), shared);
            tree.setCreated(tree.root(), created);
            tree.setModified(tree.root(), modified);
            return tree.root();
        }
        return tree.newContainer(id, type, shared, created, modified);
    }

    private FileNode file(int kind, long id, Attributes shared, long modified, WireReader reader)
            throws ProtocolException {
        Tree tree = state.tree();
        long created = reader.i64();
        long accessed = reader.i64();
        long version = reader.i64();
        boolean sealed = reader.bool();
        boolean unlinked = reader.bool();
        long unlinkedMillis = reader.i64();
        ExtentList extents = new ExtentList();
        extents.decode(reader);
        if (kind == SnapshotRecord.LONG_FILE) {
            extents = longFiles.begin(id, extents, reader.i32());
        }
        FileNode file = tree.newFile(id, shared, extents, created, modified);
        tree.files().setAccessed(file, accessed);
        tree.files().setVersion(file, version);
        tree.files().setSealed(file, sealed);
        if (unlinked) {
            tree.files().setUnlinked(file, unlinkedMillis);
        }
        return file;
    }

    private void session(WireReader reader) throws ProtocolException {
        Session session = new Session(SessionIdentity.decode(reader));
        state.addSession(session);
        state.sessions().acknowledge(session, reader.i64());
    }

    private void result(WireReader reader) throws ProtocolException {
        Session session = state.sessionOf(reader.i64());
        long id = reader.i64();
        int type = reader.u16();
        byte[] control = reader.raw(reader.length32());
        state.sessions().remember(session, id, new Session.Result(type, control));
    }

    private void grant(WireReader reader) throws ProtocolException {
        Session session = state.sessionOf(reader.i64());
        GrantedBlock grant = GrantedBlock.decode(reader);
        session.grants().put(grant.id(), grant);
    }

    /** Handles name files, which may come later in the snapshot. */
    private void handleLater(WireReader reader) throws ProtocolException {
        Session session = state.sessionOf(reader.i64());
        long id = reader.i64();
        long node = reader.i64();
        int kind = reader.u8();
        List<GrantedBlock> grants =
                kind == HandleKind.READING
                        ? List.of()
                        : Lists.decode(reader, GrantedBlock.WIRE_SIZE, GrantedBlock::decode);
        handles.add(() -> handle(session, id, node, kind, grants));
    }

    /** Blocks are in their slabs' images already: handles are restored without granting anew. */
    private void handle(Session session, long id, long node, int kind, List<GrantedBlock> grants) {
        FileNode file = (FileNode) state.node(node);
        if (kind == HandleKind.READING) {
            state.leases().addReader(new Mutation.Origin(session.id(), id), file);
            return;
        }
        Mutation.Origin origin = new Mutation.Origin(session.id(), id);
        state.leases().take(origin, file, kind == HandleKind.CREATING);
        if (session.handle(id) instanceof Handle.Lease lease) {
            grants.forEach(grant -> lease.grants().put(grant.id(), grant));
        }
    }

    private void groupLater(WireReader reader) throws ProtocolException {
        Session session = state.sessionOf(reader.i64());
        long id = reader.i64();
        List<Long> members = Lists.decode(reader, 8, WireReader::i64);
        handles.add(
                () ->
                        state.leases()
                                .openGroup(new Mutation.Origin(session.id(), id), files(members)));
    }

    private List<FileNode> files(List<Long> ids) {
        return ids.stream().map(id -> (FileNode) state.node(id)).toList();
    }

    /** Whom the records concern that follow a node's own. */
    private Node lastNode() throws ProtocolException {
        if (nodes.isEmpty()) {
            throw new ProtocolException("snapshot: what a node has comes before any node");
        }
        return nodes.get(nodes.size() - 1);
    }

    private void xattrs(WireReader reader) throws ProtocolException {
        Node node = lastNode();
        for (int left = reader.length32(); left > 0; left--) {
            String name = reader.string(Xattrs.MAX_NAME);
            state.tree().extras().setXattr(node, name, reader.bytes(Xattrs.MAX_VALUE));
        }
    }

    /** The lender may come later, and so may extents of both. */
    private void windowLater(WireReader reader) throws ProtocolException {
        if (!(lastNode() instanceof FileNode file)) {
            throw new ProtocolException("snapshot: a window of what is no file");
        }
        long lender = reader.i64();
        long base = reader.i64();
        long length = reader.i64();
        int tailLength = reader.i32();
        int tailCrc = reader.i32();
        long formerId = reader.i64();
        windows.add(
                () -> {
                    Window window =
                            lender == 0
                                    ? null
                                    : new Window(
                                            (FileNode) state.node(lender),
                                            base,
                                            length,
                                            tailLength,
                                            tailCrc);
                    state.tree().splicing().restore(file, window, formerId);
                });
    }

    /** The session may come later. */
    private void lifetime(WireReader reader) throws ProtocolException {
        Node node = lastNode();
        state.tree().extras().setDeadline(node, reader.i64());
        long session = reader.i64();
        if (session != 0) {
            handles.add(() -> state.lifeSpans().bind(node, session));
        }
    }

    /** Links names, restores handles; to be called after the last record. */
    public void finish() throws ProtocolException {
        longFiles.finish(state);
        windows.forEach(Runnable::run);
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            if (parents[i] == 0) {
                continue;
            }
            if (!(state.tree().byId(parents[i]) instanceof ContainerNode parent)) {
                throw new ProtocolException(
                        "snapshot: parent " + parents[i] + " of node " + node.id() + " is missing");
            }
            state.tree().link(parent, names.get(i), node);
        }
        for (long id : detached) {
            state.tree().detach(state.node(id));
        }
        handles.forEach(Runnable::run);
        for (FileNode member : files(released)) {
            state.tree().files().addReader(member, 1);
            state.released().add(member);
        }
    }
}
