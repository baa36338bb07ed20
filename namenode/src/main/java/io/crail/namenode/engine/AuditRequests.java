// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.block.BlockState;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.SlicedRecount;
import io.crail.namenode.tree.TotalsRecount;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.Audit.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * AUDIT: shows the blocks of a server and everybody who claims one, in slices between which the
 * cluster goes on. Why an asker that compares them is not misled:
 *
 * <ul>
 *   <li>A claim and its block are compared within one request: such a problem is one.
 *   <li>Under one generation a block is committed once, to one node, and stays with it until it is
 *       revoked. So whoever sees a block committed before and after it has seen all nodes and all
 *       that were removed, under the same generation, has seen its node, if there is one. For
 *       granted blocks and sessions it is the same.
 *   <li>Nodes are visited in slices of their hash, so one that is there all the time is seen. A
 *       node may be removed meanwhile, never come back; hence removed ones come last.
 *   <li>Positions within a slice are ids and offsets, not counts, so nothing is passed over when
 *       something before it goes. The sums of a container with more children than a page may look
 *       at are a recount that stays here between two pages.
 * </ul>
 */
final class AuditRequests {
    private final Core core;

    AuditRequests(Core core) {
        this.core = core;
    }

    void audit(Request request) throws CrailException {
        Audit.Request wanted = Audit.Request.decode(request.control());
        boolean named =
                wanted.server() != 0
                        || wanted.part() == Audit.BLOCKS
                        || wanted.part() == Audit.MEMORY;
        if (named && core.state().servers().get(wanted.server()) == null) {
            throw new InvalidArgumentException(
                    "there is no storage server " + wanted.server() + "; crail fs df shows all");
        }
        AuditPage page = new AuditPage();
        switch (wanted.part()) {
            case Audit.BLOCKS -> blocks(page, wanted.server()).blocks(wanted.position());
            case Audit.MEMORY -> blocks(page, wanted.server()).memory(wanted.position());
            case Audit.NODES ->
                    nodes(page, wanted.position(), new Claims(page, wanted.server(), true)::of);
            case Audit.REMOVED -> removed(page, wanted.server(), wanted.position());
            case Audit.GRANTS -> grants(page, wanted.server(), wanted.position());
            case Audit.TOTALS -> nodes(page, wanted.position(), totals(page));
            default -> throw new InvalidArgumentException("part " + wanted.part() + " of an audit");
        }
        if (named) {
            page.permits(core.state().references().permit(request.session().id(), wanted.server()));
        }
        page.reply().encode(request.beginReply());
        core.endReply(request.connection());
    }

    private BlockPages blocks(AuditPage page, int server) {
        return new BlockPages(core.state().blocks(), page, server);
    }

    /** Looks at a node from an offset on; returns where to go on, or null if that was all of it. */
    @FunctionalInterface
    private interface Look {
        @Nullable Position at(Node node, Position from);
    }

    private void nodes(AuditPage page, Position start, Look look) {
        Position at = start;
        while (!page.isFull()) {
            List<Node> slice = new ArrayList<>();
            long next = core.state().tree().visit(at.from(), slice::add);
            slice.sort(Comparator.comparingLong(Node::id));
            for (Node node : slice) {
                if (node.id() < at.owner()) {
                    continue;
                }
                page.looked(1);
                Position rest =
                        page.isFull() ? new Position(at.from(), node.id(), 0) : look.at(node, at);
                if (rest != null) {
                    page.goesOn(rest);
                    return;
                }
            }
            if (next < 0) {
                page.ends();
                return;
            }
            at = Position.of(next);
        }
        page.goesOn(at);
    }

    /** What nodes claim of a server's blocks, and which claims of theirs are wrong. */
    private final class Claims {
        private final AuditPage page;
        private final int server;
        private final boolean named;

        Claims(AuditPage page, int server, boolean named) {
            this.page = page;
            this.server = server;
            this.named = named;
        }

        @Nullable Position of(Node node, Position from) {
            ExtentList list = node.extents();
            if (list == null) {
                return null;
            }
            long first = from.owner() == node.id() ? from.offset() : 0;
            for (int i = indexFrom(list, first); i < list.count(); i++) {
                if (page.isFull()) {
                    return new Position(from.from(), node.id(), list.offset(i));
                }
                page.looked(1);
                look(node, list, i);
            }
            return null;
        }

        /** The first extent at or behind an offset: those before it may have gone. */
        private static int indexFrom(ExtentList list, long offset) {
            return list.count() == 0 || offset <= list.offset(0) ? 0 : list.find(offset);
        }

        private void look(Node node, ExtentList list, int i) {
            if (server != 0 && list.server(i) != server) {
                return;
            }
            if (server != 0) {
                page.claim(
                        new Audit.Claim(
                                node.id(),
                                list.offset(i),
                                list.generation(i),
                                list.segment(i),
                                list.record(i),
                                list.blockLength(i),
                                Audit.COMMITTED));
            }
            BlockId id = new BlockId(list.server(i), list.segment(i), list.record(i));
            boolean lost = isLost(id, list.generation(i));
            if (named && (lost || !isIn(BlockState.COMMITTED, id, list.generation(i)))) {
                page.problem(
                        new Audit.Problem(
                                node.id(),
                                AuditPage.path(node),
                                lost,
                                id,
                                list.generation(i),
                                list.offset(i),
                                list.length(i)));
            }
        }
    }

    private boolean isLost(BlockId id, long generation) {
        return core.state().blocks().isLost(id.server(), id.segment(), id.record(), generation);
    }

    private boolean isIn(BlockState wanted, BlockId id, long generation) {
        BlockMap blocks = core.state().blocks();
        return blocks.state(id.server(), id.segment(), id.record()) == wanted
                && blocks.generation(id.server(), id.segment(), id.record()) == generation;
    }

    /**
     * The queue only loses its head: when the node to go on with has gone, so has all before it.
     */
    private void removed(AuditPage page, int server, Position start) {
        Tree tree = core.state().tree();
        boolean there = false;
        for (Node node : tree.detached()) {
            there |= node.id() == start.owner();
        }
        Claims claims = new Claims(page, server, false);
        boolean reached = !there;
        for (Node node : tree.detached()) {
            reached |= node.id() == start.owner();
            if (!reached) {
                continue;
            }
            Position rest = page.isFull() ? new Position(0, node.id(), 0) : claims.of(node, start);
            if (rest != null) {
                page.goesOn(rest);
                return;
            }
        }
        page.ends();
    }

    private void grants(AuditPage page, int server, Position start) {
        for (Session session : core.state().sessions().all()) {
            if (session.id() < start.owner()) {
                continue;
            }
            long first = session.id() == start.owner() ? start.offset() : 0;
            for (GrantedBlock grant : grantsOf(page, session, server)) {
                if (place(grant) < first) {
                    continue;
                }
                if (page.isFull()) {
                    page.goesOn(new Position(0, session.id(), place(grant)));
                    return;
                }
                grant(page, session, grant);
            }
        }
        page.ends();
    }

    private static long place(GrantedBlock grant) {
        return ((long) grant.id().segment() << 32) | grant.id().record();
    }

    private static List<GrantedBlock> grantsOf(AuditPage page, Session session, int server) {
        List<GrantedBlock> all = new ArrayList<>(session.grants().values());
        for (Handle handle : session.handles().values()) {
            if (handle instanceof Handle.Lease lease) {
                all.addAll(lease.grants().values());
            }
        }
        page.looked(all.size());
        all.removeIf(grant -> server != 0 && grant.id().server() != server);
        all.sort(
                Comparator.<GrantedBlock>comparingInt(grant -> grant.id().server())
                        .thenComparingLong(AuditRequests::place));
        return all;
    }

    /** A grant whose server is lost is no problem of the cluster: nothing has been written. */
    private void grant(AuditPage page, Session session, GrantedBlock grant) {
        BlockId id = grant.id();
        page.claim(
                new Audit.Claim(
                        session.id(),
                        place(grant),
                        grant.generation(),
                        id.segment(),
                        id.record(),
                        grant.length(),
                        Audit.GRANTED));
        if (!isLost(id, grant.generation()) && !isIn(BlockState.GRANTED, id, grant.generation())) {
            page.problem(new Audit.Problem(session.id(), "", false, id, grant.generation(), 0, 0));
        }
    }

    private Look totals(AuditPage page) {
        Tree tree = core.state().tree();
        TotalsCheck check = new TotalsCheck(new TotalsRecount(tree), tree);
        Consumer<Audit.Mistake> out = page::mistake;
        return (node, from) -> {
            if (!(node instanceof ContainerNode container)) {
                return null;
            }
            SlicedRecount recount = tree.recount(container);
            page.looked(recount.goOn(page.looksLeft()));
            if (!recount.isComplete()) {
                return new Position(from.from(), node.id(), recount.counted());
            }
            tree.endRecount(recount);
            check.container(container, recount.found(), out);
            return null;
        };
    }
}
