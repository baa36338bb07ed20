// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.QuotaExceededException;
import io.crail.error.StaleReferenceException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.GrantForCopies;
import io.crail.namenode.state.MoveExtent;
import io.crail.namenode.state.MoveExtents;
import io.crail.namenode.state.ServerIdentity;
import io.crail.namenode.tier.Movability;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.GrantCopies;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.MoveCopies;
import io.crail.protocol.message.ServerState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Blocks for copies, and the swap of a block for its copy. Whoever drains a server, or moves nodes
 * between storage classes, copies the bytes; here is decided that the swap is right. What many ask
 * for together is granted, or swapped, each by itself.
 */
final class Copies {
    private static final int[] NONE = {};
    private static final int CLASSES = 256;

    private static final Comparator<GrantedBlock> PLACE =
            Comparator.<GrantedBlock>comparingInt(each -> each.id().segment())
                    .thenComparingInt(each -> each.id().record())
                    .thenComparingInt(each -> each.id().server());

    private final Core core;
    private final Placement placement;
    private final CommitCheck check;
    private final Quotas quotas;
    private final TierRequests tiers;

    Copies(Core core, Placement placement, CommitCheck check, Quotas quotas, TierRequests tiers) {
        this.core = core;
        this.placement = placement;
        this.check = check;
        this.quotas = quotas;
        this.tiers = tiers;
    }

    void grant(Request request) throws CrailException {
        GrantCopies.Request wanted = GrantCopies.Request.decode(request.control());
        checkCount(wanted.copies().size());
        FileRequests.checkGrants(request.session().grants().size(), wanted.copies().size());
        core.checkWritable();
        Grants grants = new Grants(request.session(), wanted);
        wanted.copies().forEach(grants::add);
        grants.sort();
        core.commit(request, new GrantForCopies(grants.statuses, grants.blocks));
    }

    private static void checkCount(int count) throws InvalidArgumentException {
        if (count == 0 || count > GrantCopies.MAX_COPIES) {
            throw new InvalidArgumentException(
                    count + " copies in one request, 1 to " + GrantCopies.MAX_COPIES + " may be");
        }
    }

    /** What a block is that was chosen for a copy, and near what. */
    private record Kind(int length, int storageClass, String location) {}

    /** Of the blocks that are granted together, those of a kind rise. */
    private final class Grants {
        private final Session session;
        private final GrantCopies.Request wanted;
        private final List<Integer> statuses = new ArrayList<>();
        private final List<GrantedBlock> blocks = new ArrayList<>();
        private final List<Kind> kinds = new ArrayList<>();
        private final long[] arriving = new long[CLASSES];

        Grants(Session session, GrantCopies.Request wanted) {
            this.session = session;
            this.wanted = wanted;
        }

        void add(GrantCopies.Copy copy) {
            try {
                Node node = core.state().tree().byId(copy.node());
                if (node == null) {
                    throw NamespaceRequests.gone(copy.node());
                }
                GrantedBlock block = block(node, copy);
                blocks.add(block);
                kinds.add(
                        new Kind(
                                block.length(),
                                core.state().servers().storageClass(block.id().server()),
                                node.attributes().locationClass()));
                statuses.add(0);
            } catch (CrailException e) {
                statuses.add(e.code().wire());
            }
        }

        /**
         * What is written in the order of the copies lies in order, on each server, and the servers
         * take turns. Blocks of one kind are as good as each other for their copies.
         */
        void sort() {
            Map<Kind, List<GrantedBlock>> alike = new HashMap<>();
            for (int i = 0; i < blocks.size(); i++) {
                alike.computeIfAbsent(kinds.get(i), kind -> new ArrayList<>()).add(blocks.get(i));
            }
            Map<Kind, Iterator<GrantedBlock>> rising = new HashMap<>();
            alike.forEach((kind, some) -> rising.put(kind, some.stream().sorted(PLACE).iterator()));
            for (int i = 0; i < blocks.size(); i++) {
                blocks.set(i, Objects.requireNonNull(rising.get(kinds.get(i))).next());
            }
        }

        private GrantedBlock block(Node node, GrantCopies.Copy copy) throws CrailException {
            int first = Math.max(wanted.firstClass(), node.attributes().storageClass());
            if (copy.length() == 0 || wanted.lastClass() < first) {
                throw new InvalidArgumentException(
                        node.path() + " may use no class up to " + wanted.lastClass());
            }
            return quotas.areThere()
                    ? withinQuotas(node, copy, first)
                    : place(node, copy, new Placement.Classes(first, wanted.lastClass()));
        }

        /** The first class in which there is room, and in which the node may have more. */
        private GrantedBlock withinQuotas(Node node, GrantCopies.Copy copy, int first)
                throws CrailException {
            CrailException refusal = null;
            for (int each : classes(first)) {
                try {
                    long bytes = arriving[each] + copy.length();
                    quotas.checkSwap(node, each, bytes, Quotas.ANOTHER_CLASS);
                    GrantedBlock block = place(node, copy, new Placement.Classes(each, each));
                    arriving[each] += block.length();
                    return block;
                } catch (QuotaExceededException | OutOfSpaceException | BusyException e) {
                    refusal = refusal == null ? e : refusal;
                }
            }
            throw refusal != null
                    ? refusal
                    : new OutOfSpaceException("no server has a storage class from " + first);
        }

        private Set<Integer> classes(int first) {
            Set<Integer> classes = new TreeSet<>();
            for (ServerIdentity server : core.state().servers().all()) {
                int its = server.storageClass();
                if (its >= first && its <= wanted.lastClass()) {
                    classes.add(its);
                }
            }
            return classes;
        }

        private GrantedBlock place(Node node, GrantCopies.Copy copy, Placement.Classes classes)
                throws CrailException {
            return placement
                    .grant(session, node.attributes(), classes, copy.length(), true, NONE, 1)
                    .get(0);
        }
    }

    void move(Request request) throws CrailException {
        Swaps swaps = new Swaps(request.session());
        swaps.add(Move.Request.decode(request.control()));
        core.commit(request, swaps.moves.get(0));
        swaps.counted.forEach(Runnable::run);
    }

    void moveAll(Request request) throws CrailException {
        MoveCopies.Request wanted = MoveCopies.Request.decode(request.control());
        checkCount(wanted.moves().size());
        core.checkWritable();
        List<Integer> statuses = new ArrayList<>();
        Swaps swaps = new Swaps(request.session());
        for (Move.Request each : wanted.moves()) {
            try {
                swaps.add(each);
                statuses.add(0);
            } catch (CrailException e) {
                statuses.add(e.code().wire());
            }
        }
        MoveExtents mutation = new MoveExtents(statuses, swaps.moves);
        if (swaps.moves.isEmpty()) {
            // As any error answer: nothing has changed, and nothing need be remembered.
            mutation.writeStatuses(request.beginReply());
            core.endReply(request.connection());
        } else {
            core.commit(request, mutation);
            swaps.counted.forEach(Runnable::run);
        }
    }

    /** What is swapped together: each is checked with those before it in mind. */
    private final class Swaps {
        private final Session session;
        private final List<MoveExtent> moves = new ArrayList<>();
        private final List<Runnable> counted = new ArrayList<>();
        private final Set<BlockId> named = new HashSet<>();
        private final long[] arriving = new long[CLASSES];

        Swaps(Session session) {
            this.session = session;
        }

        void add(Move.Request wanted) throws CrailException {
            Node node = core.state().tree().byId(wanted.node());
            if (node == null) {
                throw NamespaceRequests.gone(wanted.node());
            }
            ExtentList list = node.extents();
            int index = list == null ? 0 : list.find(wanted.offset());
            if (list == null || !isThere(list, index, wanted) || named.contains(wanted.from())) {
                throw new StaleReferenceException(
                        node.path()
                                + " has other bytes, or another block, at offset "
                                + wanted.offset()
                                + " than "
                                + wanted.from());
            }
            checkUnused(node, index);
            CommittedExtent copy = wanted.to();
            if (copy.length() != list.length(index) || copy.tailCrc() != list.tailCrc(index)) {
                throw new InvalidArgumentException(
                        "the copy of "
                                + wanted.from()
                                + " has another length or checksum than the extent of "
                                + node.path());
            }
            if (named.contains(copy.block())) {
                throw new InvalidArgumentException(copy.block() + " is named twice");
            }
            check.value(session.grants(), List.of(copy));
            checkQuotas(node, list.server(index), copy);
            named.add(wanted.from());
            named.add(copy.block());
            moves.add(new MoveExtent(node.id(), index, copy));
        }

        private static boolean isThere(ExtentList list, int index, Move.Request wanted) {
            return index < list.count()
                    && list.offset(index) == wanted.offset()
                    && list.server(index) == wanted.from().server()
                    && list.segment(index) == wanted.from().segment()
                    && list.record(index) == wanted.from().record()
                    && list.generation(index) == wanted.generation();
        }

        private void checkUnused(Node node, int index) throws LeaseHeldException {
            if (Movability.isBeingWritten(node, index)) {
                throw new LeaseHeldException(
                        "the last block of "
                                + node.path()
                                + " is being written; it can be moved when its writer has closed"
                                + " it");
            }
            if (Movability.isCutWhileRead(node, index)) {
                throw new LeaseHeldException(
                        "a block of "
                                + node.path()
                                + " has been cut, and is read beyond its end; it can be moved when"
                                + " its readers have closed the file");
            }
        }

        /** What leaves a server that is emptied must go somewhere: it goes beyond a limit. */
        private void checkQuotas(Node node, int server, CommittedExtent copy)
                throws CrailException {
            GrantedBlock granted = Objects.requireNonNull(session.grants().get(copy.block()));
            int from = core.state().servers().storageClass(server);
            int into = core.state().servers().storageClass(copy.block().server());
            boolean draining = core.state().blocks().serverState(server) == ServerState.DRAINING;
            if (!draining) {
                quotas.checkSwap(node, into, arriving[into] + granted.length(), from);
            }
            arriving[into] += from == into ? 0 : granted.length();
            counted.add(() -> tiers.moved(from, into, copy.length()));
        }
    }
}
