// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.OpenGroup;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.node.NodeType;
import java.util.ArrayList;
import java.util.List;

/** Opening the members of a MULTIFILE together. */
final class MemberRequests {
    /**
     * Members that one session may hold open: what its end has to release, and the snapshot to
     * write at once.
     */
    private static final int MAX_OPEN_MEMBERS = 1 << 20;

    /** A page stops here, so that its answer fits a frame. */
    private static final int PAGE_BYTES = ProtocolLimits.MAX_CONTROL - (64 << 10);

    /** Bytes of a member in the answer, at least. */
    private static final int MEMBER_BYTES = 128;

    private final Core core;
    private final Paths paths;

    MemberRequests(Core core, Paths paths) {
        this.core = core;
        this.paths = paths;
    }

    void open(Request request) throws CrailException {
        OpenMembers.Request wanted = OpenMembers.Request.decode(request.control());
        ContainerNode container = container(request, wanted);
        long bound = wanted.node() == 0 ? core.state().lastNodeId() : wanted.bound();
        Page page = new Page(wanted, bound);
        boolean more =
                container.page(
                        wanted.cursor().length == 0 ? null : wanted.cursor(),
                        Math.max(1, Math.min(wanted.limit(), ProtocolLimits.MAX_PAGE)),
                        page::add);
        OpenGroup group =
                new OpenGroup(
                        container.id(),
                        bound,
                        more || page.full,
                        page.cursor,
                        page.references,
                        page.members);
        if (page.members.isEmpty()) {
            group.replyEmpty(core.state(), request.beginReply());
            core.endReply(request.connection());
            return;
        }
        checkOpenMembers(request.session(), page.members.size());
        page.members.forEach(this::read);
        core.commit(request, group);
    }

    private ContainerNode container(Request request, OpenMembers.Request wanted)
            throws CrailException {
        Node node =
                wanted.node() == 0
                        ? paths.existing(request, wanted.path())
                        : core.state().tree().byId(wanted.node());
        if (node == null || (wanted.node() != 0 && node.parent() == null)) {
            throw NamespaceRequests.gone(wanted.node());
        }
        if (node instanceof ContainerNode container && container.type() == NodeType.MULTIFILE) {
            return container;
        }
        throw new WrongNodeTypeException(
                node.path() + " is a " + node.type() + ", only a MULTIFILE has members");
    }

    private void read(long member) {
        Node node = core.state().tree().byId(member);
        if (node != null) {
            core.read(node);
        }
    }

    private static void checkOpenMembers(Session session, int more) throws BusyException {
        if (session.openMembers() + more > MAX_OPEN_MEMBERS) {
            throw new BusyException(
                    "session "
                            + session.id()
                            + " holds "
                            + session.openMembers()
                            + " members of multifiles open, at most "
                            + MAX_OPEN_MEMBERS
                            + " are allowed; close some first");
        }
    }

    /** Collects the members of a page, and knows how large the answer will be. */
    private static final class Page {
        private final List<Long> members = new ArrayList<>();
        private final boolean closedOnly;
        private final long bound;
        private final int references;
        private byte[] cursor;
        private long bytes;
        private boolean full;

        Page(OpenMembers.Request wanted, long bound) {
            this.closedOnly = (wanted.flags() & OpenMembers.CLOSED_ONLY) != 0;
            this.bound = bound;
            this.references = Math.min(wanted.references(), ProtocolLimits.MAX_REFERENCES);
            this.cursor = wanted.cursor();
        }

        void add(Node node) {
            if (full || !(node instanceof FileNode file)) {
                return;
            }
            if (file.id() <= bound && !(closedOnly && file.isLeased())) {
                long size = size(file);
                if (!members.isEmpty() && bytes + size > PAGE_BYTES) {
                    full = true;
                    return;
                }
                bytes += size;
                members.add(file.id());
            }
            cursor = file.name();
        }

        private long size(FileNode file) {
            Attributes attributes = file.attributes();
            int strings =
                    attributes.owner().length()
                            + attributes.group().length()
                            + attributes.locationClass().length();
            // A character of a name takes up to three bytes of UTF-8.
            return MEMBER_BYTES
                    + file.name().length
                    + 3L * strings
                    + (long) Extent.WIRE_SIZE * Math.min(references, file.extents().count());
        }
    }
}
