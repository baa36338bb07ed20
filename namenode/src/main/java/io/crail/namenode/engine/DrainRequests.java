// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.state.DrainServer;
import io.crail.namenode.state.ServerHolds;
import io.crail.namenode.tier.Movability;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Emptying a storage server (docs/adr/0008-drain.md): what lies on it, or where it should not.
 * Whoever drains copies the bytes, into blocks of {@link Copies}.
 */
final class DrainRequests {
    /** Extents looked at in one request: some 0.2 ms of the engine. */
    private static final int LOOKS = 100_000;

    private final Core core;
    private final Paths paths;

    DrainRequests(Core core, Paths paths) {
        this.core = core;
        this.paths = paths;
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

    static void checkServer(Core core, int server) throws InvalidArgumentException {
        if (core.state().servers().get(server) == null) {
            throw new InvalidArgumentException(
                    "there is no storage server " + server + "; crail fs df shows all");
        }
    }
}
