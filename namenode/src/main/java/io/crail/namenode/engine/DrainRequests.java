// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.StaleReferenceException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.state.DrainServer;
import io.crail.namenode.state.MoveExtent;
import io.crail.namenode.state.ServerHolds;
import io.crail.namenode.tier.Movability;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Emptying a storage server (docs/adr/0008-drain.md): what lies on it, or where it should not, and
 * the swap of a block for its copy. Whoever drains copies the bytes; here is decided that the swap
 * is right.
 */
final class DrainRequests {
    /** Extents looked at in one request: some 0.2 ms of the engine. */
    private static final int LOOKS = 100_000;

    private final Core core;
    private final Paths paths;
    private final CommitCheck check;
    private final Quotas quotas;
    private final TierRequests tiers;

    DrainRequests(Core core, Paths paths, CommitCheck check, Quotas quotas, TierRequests tiers) {
        this.core = core;
        this.paths = paths;
        this.check = check;
        this.quotas = quotas;
        this.tiers = tiers;
    }

    void drain(Request request) throws CrailException {
        Drain.Request wanted = Drain.Request.decode(request.control());
        checkServer(core, wanted.server());
        if (wanted.force() && !wanted.draining()) {
            throw new InvalidArgumentException("only a server that is drained can be forced");
        }
        ServerHolds holds = new ServerHolds(core.state(), wanted.server());
        core.commit(
                request,
                new DrainServer(
                        wanted.server(),
                        wanted.draining(),
                        wanted.force(),
                        wanted.force() ? holds.bytes() : 0,
                        wanted.force() ? holds.leases() : 0,
                        stateAfter(wanted).wire()));
        core.state().servers().changed();
    }

    private ServerState stateAfter(Drain.Request wanted) {
        ServerState now = core.state().blocks().serverState(wanted.server());
        boolean there = now == ServerState.LIVE || now == ServerState.DRAINING;
        return !there ? now : wanted.draining() ? ServerState.DRAINING : ServerState.LIVE;
    }

    void movable(Request request) throws CrailException {
        Movable.Request wanted = Movable.Request.decode(request.control());
        int limit = Math.max(1, Math.min(wanted.limit(), ProtocolLimits.MAX_REFERENCES));
        Search search;
        if (wanted.server() == 0) {
            Node top = paths.existing(request, wanted.path());
            search = new Search(limit, top, wanted.storageClass());
        } else {
            checkServer(core, wanted.server());
            search = new Search(limit, wanted.server());
        }
        // On the wire 0 is the start when asked and the end when answered, so all others count from
        // 1.
        long cursor = Math.max(0, wanted.cursor() - 1);
        long next;
        do {
            next = core.state().tree().visit(cursor, search::look);
            if (search.isFull()) {
                next = cursor; // What is left of this part shows when these have been moved.
                break;
            }
            cursor = next;
        } while (next >= 0 && search.looks < LOOKS);
        search.reply(request.beginReply(), request.session().id(), next + 1);
        core.endReply(request.connection());
    }

    /** Collects extents on a server, or in wrong classes below a node, from nodes it is shown. */
    private final class Search {
        private final int limit;
        private final int server;
        private final @Nullable Node top;
        private final int storageClass;
        private final List<Node> nodes = new ArrayList<>();
        private final List<Integer> indices = new ArrayList<>();
        private int busy;
        private int pinned;
        private int looks;

        Search(int limit, int server) {
            this.limit = limit;
            this.server = server;
            this.top = null;
            this.storageClass = 0;
        }

        Search(int limit, Node top, int storageClass) {
            this.limit = limit;
            this.server = 0;
            this.top = top;
            this.storageClass = storageClass;
        }

        boolean isFull() {
            return nodes.size() >= limit;
        }

        void look(Node node) {
            looks++;
            ExtentList list = node.extents();
            if (list == null || list.count() == 0 || !isBelowTop(node)) {
                return;
            }
            for (int i = 0; i < list.count() && !isFull(); i++) {
                looks++;
                if (isInPlace(list, i) || Movability.isLost(core.state().blocks(), list, i)) {
                    continue;
                }
                if (top != null && node.attributes().storageClass() > storageClass) {
                    pinned++;
                } else if (Movability.isBeingWritten(node, i)
                        || Movability.isCutWhileRead(node, i)) {
                    busy++;
                } else {
                    nodes.add(node);
                    indices.add(i);
                }
            }
        }

        private boolean isBelowTop(Node node) {
            Node up = node;
            while (top != null && up != null && up != top) {
                looks++;
                up = up.parent();
            }
            return top == null || up != null;
        }

        private boolean isInPlace(ExtentList list, int i) {
            return top == null
                    ? list.server(i) != server
                    : core.state().servers().storageClass(list.server(i)) == storageClass;
        }

        void reply(WireWriter reply, long session, long next) {
            reply.i64(next).i32(busy).u16(nodes.size());
            for (Node node : nodes) {
                int mark = reply.beginRecord();
                new Movable.Owner(node.id(), node.path(), node.attributes().checksums())
                        .encode(reply);
                reply.endRecord(mark);
            }
            reply.u16(nodes.size()).u16(Extent.WIRE_SIZE);
            for (int i = 0; i < nodes.size(); i++) {
                core.state()
                        .references()
                        .extent(
                                reply,
                                session,
                                Objects.requireNonNull(nodes.get(i).extents()),
                                indices.get(i));
            }
            reply.i32(pinned);
        }
    }

    void move(Request request) throws CrailException {
        Move.Request wanted = Move.Request.decode(request.control());
        Node node = core.state().tree().byId(wanted.node());
        if (node == null) {
            throw NamespaceRequests.gone(wanted.node());
        }
        ExtentList list = node.extents();
        int index = list == null ? 0 : list.find(wanted.offset());
        if (list == null
                || index == list.count()
                || list.offset(index) != wanted.offset()
                || !isIn(list, index, wanted.from())
                || list.generation(index) != wanted.generation()) {
            throw new StaleReferenceException(
                    node.path()
                            + " has other bytes, or another block, at offset "
                            + wanted.offset()
                            + " than "
                            + wanted.from());
        }
        if (Movability.isBeingWritten(node, index)) {
            throw new LeaseHeldException(
                    "the last block of "
                            + node.path()
                            + " is being written; it can be moved when its writer has closed it");
        }
        if (Movability.isCutWhileRead(node, index)) {
            throw new LeaseHeldException(
                    "a block of "
                            + node.path()
                            + " has been cut, and is read beyond its end; it can be moved when its"
                            + " readers have closed the file");
        }
        CommittedExtent copy = wanted.to();
        if (copy.length() != list.length(index) || copy.tailCrc() != list.tailCrc(index)) {
            throw new InvalidArgumentException(
                    "the copy of "
                            + wanted.from()
                            + " has another length or checksum than the extent of "
                            + node.path());
        }
        check.value(request.session().grants(), List.of(copy));
        int from = core.state().servers().storageClass(list.server(index));
        int into = core.state().servers().storageClass(copy.block().server());
        GrantedBlock granted = Objects.requireNonNull(request.session().grants().get(copy.block()));
        quotas.checkSwap(node, into, granted.length(), from);
        core.commit(request, new MoveExtent(node.id(), index, copy));
        tiers.moved(from, into, copy.length());
    }

    private static boolean isIn(ExtentList list, int index, BlockId block) {
        return list.server(index) == block.server()
                && list.segment(index) == block.segment()
                && list.record(index) == block.record();
    }

    static void checkServer(Core core, int server) throws InvalidArgumentException {
        if (core.state().servers().get(server) == null) {
            throw new InvalidArgumentException(
                    "there is no storage server " + server + "; crail fs df shows all");
        }
    }
}
