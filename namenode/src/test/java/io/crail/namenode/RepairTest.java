// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ConditionFailedException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.TotalsDamage;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Repair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the namenode repairs when it is asked to, and only if it is so. */
final class RepairTest extends AuditedNamenode {
    @Test
    void aBlockThatIsFreedWhileItsHolderIsLookedForIsNoOrphan() throws IOException {
        fillTree(40, 1000);
        BlockId id = orphan(true);
        long generation = storage.generation(id.segment(), id.record());
        Repair.Request request = new Repair.Request(Repair.ORPHAN, 0, id, KIB_4, generation);
        assertThat(session.wire().call(request, Repair.Reply::decode).more()).isTrue();
        namenode.run(
                engine ->
                        engine.state()
                                .blocks()
                                .unreference(
                                        id.server(), id.segment(), id.record(), KIB_4, generation));
        assertThatThrownBy(() -> session.wire().call(request, Repair.Reply::decode))
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("not in use");
    }

    @Test
    void aBlockThatPassesToAnotherFileWhileItsHolderIsLookedForIsNoOrphan() throws IOException {
        List<String> visitedFirst = new ArrayList<>();
        String late = "";
        Repair.Request search = null;
        fillTree(40, 1000);
        for (int i = 0; i < 60 && (visitedFirst.isEmpty() || search == null); i++) {
            String path = "/f" + i;
            session.file(path, KIB_4);
            Extent extent = session.lookup(path, Lookup.EXTENTS).extents().get(0);
            BlockReference block = extent.block();
            Repair.Request request =
                    new Repair.Request(Repair.ORPHAN, 0, block.id(), KIB_4, block.generation());
            try {
                assertThat(session.wire().call(request, Repair.Reply::decode).more()).isTrue();
                late = path;
                search = visitedFirst.isEmpty() ? null : request;
            } catch (ConditionFailedException found) {
                visitedFirst.add(path);
            }
        }
        Repair.Request running = Objects.requireNonNull(search);
        Splicer.concat(session, visitedFirst.get(0), late);
        assertThatThrownBy(
                        () -> {
                            while (session.wire().call(running, Repair.Reply::decode).more()) {
                                // It looks at some thousand nodes at a time.
                            }
                        })
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("belongs to " + visitedFirst.get(0));
    }

    @Test
    void anOrphanIsGivenBackAndABlockThatSomebodyHasIsNot() throws IOException {
        fill();
        for (Audit.Claim used : part(storage.id(), Audit.BLOCKS).claims()) {
            BlockId id = new BlockId(storage.id(), used.segment(), used.record());
            assertThatThrownBy(() -> repair(Repair.ORPHAN, 0, id, used.length(), used.generation()))
                    .isInstanceOf(ConditionFailedException.class)
                    .hasMessageContaining("belongs to");
        }
        BlockId id = orphan(true);
        long generation = storage.generation(id.segment(), id.record());
        assertThatThrownBy(() -> repair(Repair.ORPHAN, 0, id, 2 * KIB_4, generation))
                .isInstanceOf(ConditionFailedException.class);
        repair(Repair.ORPHAN, 0, id, KIB_4, generation);
        assertThat(storage.fenceAll()).isEqualTo(1);
        assertThatThrownBy(() -> repair(Repair.ORPHAN, 0, id, KIB_4, generation))
                .isInstanceOf(ConditionFailedException.class);
        namenode.checkConservation();
        namenode.restart(); // The orphan itself was never logged.
        session.wire().reconnect(namenode::connect);
        namenode.checkConservation();
    }

    @Test
    void onlyANodeThatHasLostBytesIsDeleted() throws IOException {
        long node = session.file("/f", 5000).id();
        BlockReference block = session.lookup("/f", Lookup.EXTENTS).extents().get(0).block();
        assertThatThrownBy(() -> repair(Repair.LOST, node, block.id(), 0, block.generation()))
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("is there");
        storage.format(block.segment(), 32 * MIB, 99);
        storage.register(namenode::connect);
        long other = session.file("/g", 5000).id();
        assertThatThrownBy(() -> repair(Repair.LOST, other, block.id(), 0, block.generation()))
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("does not have");
        repair(Repair.LOST, node, block.id(), 0, block.generation());
        assertThat(session.list("/")).containsExactly("g");
        assertThat(part(0, Audit.NODES).problems()).isEmpty();
        namenode.checkConservation();
    }

    @Test
    void aWrongSumIsPutRight() throws IOException {
        fill();
        long id = session.lookup("/d").id();
        namenode.run(
                engine ->
                        TotalsDamage.addFiles(
                                (ContainerNode)
                                        Objects.requireNonNull(engine.state().tree().byId(id)),
                                2));
        BlockId none = new BlockId(0, 0, 0);
        repair(Repair.TOTALS, id, none, 0, 0);
        assertThat(part(0, Audit.TOTALS).mistakes()).isEmpty();
        assertThatThrownBy(() -> repair(Repair.TOTALS, id, none, 0, 0))
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("are right");
        namenode.run(engine -> Recount.check(engine.state()));
    }
}
