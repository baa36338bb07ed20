// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.block.BlockState;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.RepairStep;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.TotalsRecount;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Repair;

/**
 * REPAIR: one step each, logged. Whoever asks has seen by AUDIT what is wrong; it is believed only
 * after the namenode has found the same itself, in the same moment in which it is put right.
 */
final class RepairRequests {
    private final Core core;
    private final StorageLinks links;

    RepairRequests(Core core, StorageLinks links) {
        this.core = core;
        this.links = links;
    }

    void repair(Request request) throws CrailException {
        Repair.Request wanted = Repair.Request.decode(request.control());
        switch (wanted.step()) {
            case Repair.ORPHAN -> checkOrphan(wanted);
            case Repair.LOST -> checkLost(wanted);
            case Repair.TOTALS -> checkTotals(wanted.node());
            case Repair.REPORT -> {
                report(request, wanted.block().server());
                return;
            }
            default -> throw new InvalidArgumentException("repair step " + wanted.step());
        }
        core.commit(
                request,
                new RepairStep(
                        wanted.step(),
                        wanted.node(),
                        wanted.block(),
                        wanted.length(),
                        wanted.generation(),
                        core.millis()));
    }

    /**
     * A server that registers reports the generations of all its slots, which are those in force,
     * and is told anew what to revoke: whatever message was lost between the two is made up for.
     * Nothing changes that a log has to hold, and doing it twice does no harm.
     */
    private void report(Request request, int server) throws ConditionFailedException {
        if (!links.registerAgain(server)) {
            throw notSo("storage server " + server + " is not there");
        }
        core.replyEmpty(request);
    }

    private static ConditionFailedException notSo(String why) {
        return new ConditionFailedException(why + "; nothing was changed: check again");
    }

    /**
     * Looks at all nodes and sessions at once: a block that is given back though somebody has it is
     * destroyed data, so here the namenode stops for a moment.
     */
    private void checkOrphan(Repair.Request wanted) throws CrailException {
        BlockId id = wanted.block();
        BlockMap blocks = core.state().blocks();
        if (blocks.isLost(id.server(), id.segment(), id.record(), wanted.generation())) {
            throw notSo(id + " is lost, or has another generation");
        }
        boolean[] inUse = {false};
        blocks.visitSlab(
                id.server(),
                id.segment(),
                id.record() / BlockGeometry.SLOTS_PER_SLAB,
                (record, length, state, generation) ->
                        inUse[0] |=
                                record == id.record()
                                        && length == wanted.length()
                                        && (state == BlockState.GRANTED
                                                || state == BlockState.COMMITTED));
        if (!inUse[0]) {
            throw notSo(id + " is not in use, or of another size");
        }
        String holder = holderOf(id, wanted.generation());
        if (!holder.isEmpty()) {
            throw notSo(id + " belongs to " + holder);
        }
    }

    private String holderOf(BlockId id, long generation) {
        for (Session session : core.state().sessions().all()) {
            boolean holds = session.grants().containsKey(id);
            for (Handle handle : session.handles().values()) {
                holds |= handle instanceof Handle.Lease lease && lease.grants().containsKey(id);
            }
            if (holds) {
                return "session " + session.id();
            }
        }
        String[] holder = {""};
        Tree tree = core.state().tree();
        long at = 0;
        while (at >= 0) {
            at = tree.visit(at, node -> holder[0] = has(node, id, generation, holder[0]));
        }
        for (Node node : tree.detached()) {
            holder[0] = has(node, id, generation, holder[0]);
        }
        return holder[0];
    }

    private static String has(Node node, BlockId id, long generation, String known) {
        ExtentList list = node.extents();
        for (int i = 0; list != null && i < list.count(); i++) {
            if (list.record(i) == id.record()
                    && list.segment(i) == id.segment()
                    && list.server(i) == id.server()
                    && list.generation(i) == generation) {
                return node.path();
            }
        }
        return known;
    }

    private void checkLost(Repair.Request wanted) throws CrailException {
        Node node = core.state().tree().byId(wanted.node());
        if (node == null || node.parent() == null) {
            throw NamespaceRequests.gone(wanted.node());
        }
        BlockId id = wanted.block();
        if (has(node, id, wanted.generation(), "").isEmpty()) {
            throw notSo(node.path() + " does not have " + id);
        }
        BlockMap blocks = core.state().blocks();
        if (!blocks.isLost(id.server(), id.segment(), id.record(), wanted.generation())) {
            throw notSo(id + " of " + node.path() + " is there");
        }
    }

    private void checkTotals(long id) throws CrailException {
        Tree tree = core.state().tree();
        if (!(tree.byId(id) instanceof ContainerNode container)) {
            throw NamespaceRequests.gone(id);
        }
        if (new TotalsCheck(new TotalsRecount(tree), tree).isRight(container)) {
            throw notSo("the sums of " + container.path() + " are right");
        }
    }
}
