// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.block.BlockState;
import io.crail.namenode.state.RepairStep;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.TotalsRecount;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Repair;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * REPAIR: one step each, logged. Whoever asks has seen by AUDIT what is wrong; it is believed only
 * after the namenode has found the same itself, in the same moment in which it is put right.
 */
final class RepairRequests {
    private static final int MAX_SEARCHES = 16;

    private final Core core;
    private final StorageLinks links;

    /** Searches that go on, by the session that asks: two that repair do not end each other's. */
    private final Map<Long, OrphanSearch> searches = new LinkedHashMap<>();

    RepairRequests(Core core, StorageLinks links) {
        this.core = core;
        this.links = links;
    }

    void repair(Request request) throws CrailException {
        Repair.Request wanted = Repair.Request.decode(request.control());
        switch (wanted.step()) {
            case Repair.ORPHAN -> {
                if (!isOrphan(wanted, request.session().id())) {
                    new Repair.Reply(true).encode(request.beginReply());
                    core.endReply(request.connection());
                    return;
                }
            }
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
        new Repair.Reply(false).encode(request.beginReply());
        core.endReply(request.connection());
    }

    private static ConditionFailedException notSo(String why) {
        return new ConditionFailedException(why + "; nothing was changed: check again");
    }

    /**
     * A block that is given back though somebody has it is destroyed data: so the namenode looks
     * itself, some thousand nodes at a time.
     *
     * @return whether it has looked at all, and nobody has the block
     */
    private boolean isOrphan(Repair.Request wanted, long session) throws CrailException {
        BlockId id = wanted.block();
        BlockState state = stateInUse(wanted);
        OrphanSearch running = searches.remove(session);
        if (running == null || !running.isOf(id, wanted.generation(), state)) {
            running = new OrphanSearch(id, wanted.generation(), state);
        }
        boolean complete = running.goOn(core.state(), AuditPage.LOOKS);
        if (!running.holder().isEmpty()) {
            throw notSo(id + " belongs to " + running.holder());
        }
        if (!complete) {
            if (searches.size() == MAX_SEARCHES) {
                searches.remove(searches.keySet().iterator().next());
            }
            searches.put(session, running);
        }
        return complete;
    }

    /** Tells the searches of a node that has got blocks of another one. */
    void moved(Node node) {
        searches.values().forEach(search -> search.moved(node));
    }

    private BlockState stateInUse(Repair.Request wanted) throws CrailException {
        BlockId id = wanted.block();
        BlockMap blocks = core.state().blocks();
        if (blocks.isLost(id.server(), id.segment(), id.record(), wanted.generation())) {
            throw notSo(id + " is lost, or has another generation");
        }
        BlockState[] state = {BlockState.FREE};
        blocks.visitSlab(
                id.server(),
                id.segment(),
                id.record() / BlockGeometry.SLOTS_PER_SLAB,
                (record, length, is, generation) -> {
                    if (record == id.record()
                            && length == wanted.length()
                            && (is == BlockState.GRANTED || is == BlockState.COMMITTED)) {
                        state[0] = is;
                    }
                });
        if (state[0] == BlockState.FREE) {
            throw notSo(id + " is not in use, or of another size");
        }
        return state[0];
    }

    private void checkLost(Repair.Request wanted) throws CrailException {
        Node node = core.state().tree().byId(wanted.node());
        if (node == null || node.parent() == null) {
            throw NamespaceRequests.gone(wanted.node());
        }
        BlockId id = wanted.block();
        ExtentList list = node.extents();
        if (list == null || !OrphanSearch.has(list, id, wanted.generation())) {
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
