// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.LeaseLostException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.AbandonFile;
import io.crail.namenode.state.CommitFile;
import io.crail.namenode.state.GrantBlocks;
import io.crail.namenode.state.OpenForAppend;
import io.crail.namenode.state.OpenForReading;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.FileView;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.AwaitLength;
import io.crail.protocol.message.Commit;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Open;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opening, granting, committing: what concerns the bytes of a FILE. */
final class FileRequests {
    /** Handles of one session, so that a client that forgets to close cannot grow without limit. */
    private static final int MAX_HANDLES = 65_536;

    /** Granted and uncommitted blocks of one lease, or of one session's values. */
    private static final int MAX_GRANTS = 4096;

    private static final int[] NONE = {};

    private final Core core;
    private final Paths paths;
    private final Placement placement;
    private final CommitCheck check;
    private final Quotas quotas;
    private final LengthWaiters waiters;

    FileRequests(
            Core core,
            Paths paths,
            Placement placement,
            CommitCheck check,
            Quotas quotas,
            LengthWaiters waiters) {
        this.core = core;
        this.paths = paths;
        this.placement = placement;
        this.check = check;
        this.quotas = quotas;
        this.waiters = waiters;
    }

    void open(Request request) throws CrailException {
        Open.Request wanted = Open.Request.decode(request.control());
        boolean byId = wanted.path().length == 0;
        Node node = byId ? paths.existing(wanted.node()) : paths.existing(request, wanted.path());
        if (!(node instanceof FileNode file)) {
            throw new WrongNodeTypeException(
                    (byId ? "node " + node.id() : node.path())
                            + " is a "
                            + node.type()
                            + ", only a FILE can be opened");
        }
        if (byId && wanted.mode() != Open.READ) {
            throw new InvalidArgumentException(
                    "node " + node.id() + ": a file is opened by its id for reading only");
        }
        checkHandles(request.session());
        switch (wanted.mode()) {
            case Open.READ -> {
                core.read(file);
                core.commit(request, new OpenForReading(file.id()));
            }
            case Open.APPEND -> append(request, file, wanted.bytesWanted());
            default -> throw new InvalidArgumentException("open mode " + wanted.mode());
        }
    }

    private void append(Request request, FileNode file, long bytes) throws CrailException {
        checkNotWritten(file);
        List<GrantedBlock> grants =
                grant(
                        request.session(),
                        file.parent(),
                        file.attributes(),
                        Map.of(),
                        bytes,
                        false,
                        NONE);
        core.commit(request, new OpenForAppend(file.id(), grants));
    }

    /** Nobody writes it, or who did has not been heard for the time of a lease. */
    void checkNotWritten(FileNode file) throws LeaseHeldException {
        if (file.isLeased()) {
            checkExpired(file);
        }
    }

    private void checkExpired(FileNode file) throws LeaseHeldException {
        Session holder = core.state().session(file.leaseSession());
        long silent = holder == null ? Long.MAX_VALUE : core.nanos() - holder.lastHeardNanos();
        if (holder != null && silent < core.config().leaseTime().toNanos()) {
            throw new LeaseHeldException(
                    file.path()
                            + " is being written by "
                            + holder.identity().name()
                            + " (session "
                            + holder.id()
                            + "); wait until it closes the file");
        }
    }

    private static void checkHandles(Session session) throws BusyException {
        if (session.handles().size() >= MAX_HANDLES) {
            throw new BusyException(
                    "session "
                            + session.id()
                            + " holds "
                            + MAX_HANDLES
                            + " open files; close some first");
        }
    }

    void getExtents(Request request) throws CrailException {
        GetExtents.Request wanted = GetExtents.Request.decode(request.control());
        Node node = known(request.session(), wanted.node(), wanted.handle());
        core.used(node);
        ExtentList list = extentsOf(node);
        int limit = Math.max(1, Math.min(wanted.limit(), ProtocolLimits.MAX_REFERENCES));
        int first = list.find(wanted.offset());
        if (node instanceof FileNode file && file.window() != null) {
            list = FileView.page(file, wanted.offset(), limit);
            first = 0;
        }
        WireWriter reply = request.beginReply();
        node.encodeStatus(reply);
        core.state().references().extents(reply, request.session().id(), list, first, limit);
        core.endReply(request.connection());
    }

    /**
     * The node of an id, or with a handle what that keeps of it. Not the node without regard to the
     * handle: it may have been cut, and continued, since it was opened.
     */
    private Node known(Session session, long id, long handle) throws NoSuchNodeException {
        Node node = handle == 0 ? core.state().tree().byId(id) : session.opened(handle, id);
        if (node == null) {
            throw NamespaceRequests.gone(id);
        }
        return node;
    }

    private static ExtentList extentsOf(Node node) throws WrongNodeTypeException {
        if (node instanceof FileNode file) {
            return file.extents();
        }
        if (node instanceof KeyValueNode value && value.extents() != null) {
            return value.extents();
        }
        throw new WrongNodeTypeException(
                "node " + node.id() + " is a " + node.type() + " and has no blocks");
    }

    void grant(Request request) throws CrailException {
        Grant.Request wanted = Grant.Request.decode(request.control());
        if (wanted.bytesWanted() == 0) {
            throw new InvalidArgumentException("a grant of 0 bytes was asked for");
        }
        Placement.checkExcluded(wanted.excludedServers());
        Session session = request.session();
        List<GrantedBlock> grants;
        boolean leased = wanted.handle() != 0;
        if (!leased) {
            checkGrants(session.grants().size());
            grants =
                    grant(
                            session,
                            container(request, wanted),
                            attributes(request, wanted),
                            session.grants(),
                            wanted.bytesWanted(),
                            wanted.exact(),
                            wanted.excludedServers());
        } else {
            Handle.Lease lease = lease(session, wanted.node(), wanted.handle());
            checkGrants(lease.grants().size());
            grants =
                    grant(
                            session,
                            lease.file().parent(),
                            lease.file().attributes(),
                            lease.grants(),
                            wanted.bytesWanted(),
                            wanted.exact(),
                            wanted.excludedServers());
        }
        core.commit(request, new GrantBlocks(wanted.handle(), grants));
    }

    /** Of the table for a new value, or of the node for a copy of one of its blocks. */
    private Attributes attributes(Request request, Grant.Request wanted) throws CrailException {
        if (wanted.node() == 0) {
            return paths.table(request, ByteBuffer.wrap(wanted.table())).attributes();
        }
        Node node = core.state().tree().byId(wanted.node());
        if (node == null) {
            throw NamespaceRequests.gone(wanted.node());
        }
        return node.attributes();
    }

    /** The table of a new value; none for a copy of a block, which replaces what is counted. */
    private @Nullable ContainerNode container(Request request, Grant.Request wanted)
            throws CrailException {
        return wanted.node() == 0 ? paths.table(request, ByteBuffer.wrap(wanted.table())) : null;
    }

    /** As much as fits the quotas of the container in which the bytes are to be. */
    private List<GrantedBlock> grant(
            Session session,
            @Nullable ContainerNode parent,
            Attributes attributes,
            Map<?, GrantedBlock> held,
            long wanted,
            boolean exact,
            int[] excluded)
            throws CrailException {
        long bytes = quotas.grantable(parent, attributes.storageClass(), wanted, held);
        return placement.grant(session, attributes, bytes, exact || bytes < wanted, excluded);
    }

    static void checkGrants(int held) throws BusyException {
        checkGrants(held, ProtocolLimits.MAX_REFERENCES);
    }

    static void checkGrants(int held, int more) throws BusyException {
        if (held + more > MAX_GRANTS) {
            throw new BusyException(
                    held + " granted blocks are not committed yet; commit or return some first");
        }
    }

    /** The lease a request names. */
    private static Handle.Lease lease(Session session, long node, long handle)
            throws LeaseLostException {
        if (session.handle(handle) instanceof Handle.Lease lease && lease.file().id() == node) {
            return lease;
        }
        throw new LeaseLostException(
                "session "
                        + session.id()
                        + " no longer holds the lease of node "
                        + node
                        + ": it was taken over, or the file was removed or replaced");
    }

    void commit(Request request) throws CrailException {
        Commit.Request wanted = Commit.Request.decode(request.control());
        Handle.Lease lease = lease(request.session(), wanted.node(), wanted.handle());
        FileNode file = lease.file();
        if (file.length() != wanted.baseLength()) {
            throw new LeaseLostException(
                    file.path()
                            + " has "
                            + file.length()
                            + " committed bytes, the writer believes "
                            + wanted.baseLength());
        }
        check.file(lease, wanted.extents());
        quotas.checkCommit(file.parent(), 0, null, lease.grants(), wanted.extents());
        core.commit(
                request,
                new CommitFile(
                        file.id(),
                        lease.id(),
                        (wanted.flags() & Commit.CLOSE) != 0,
                        wanted.extents(),
                        wanted.returned(),
                        core.millis(),
                        core.state().lastVersion() + 1));
        waiters.changed(file);
    }

    void abandon(Request request) throws CrailException {
        Abandon.Request wanted = Abandon.Request.decode(request.control());
        Handle.Lease lease = lease(request.session(), wanted.node(), wanted.handle());
        FileNode file = lease.file();
        boolean remove =
                wanted.deleteIfEmpty()
                        && lease.created()
                        && file.length() == 0
                        && file.parent() != null;
        core.commit(request, new AbandonFile(file.id(), lease.id(), remove, core.millis()));
        waiters.changed(file);
    }

    void awaitLength(Request request) throws CrailException {
        AwaitLength.Request wanted = AwaitLength.Request.decode(request.control());
        if (!(known(request.session(), wanted.node(), wanted.handle()) instanceof FileNode file)) {
            throw NamespaceRequests.gone(wanted.node());
        }
        if (file.length() > wanted.knownLength() || !file.isLeased() || file.isUnlinked()) {
            file.encodeStatus(request.beginReply());
            core.endReply(request.connection());
            return;
        }
        waiters.add(file, wanted.knownLength(), request.later(), wanted.maxWaitMillis());
    }
}
