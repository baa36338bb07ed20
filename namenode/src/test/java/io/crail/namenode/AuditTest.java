// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ConditionFailedException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.TotalsDamage;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Repair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the namenode shows of its blocks, whole and damaged. */
final class AuditTest extends AuditedNamenode {
    @Test
    void everyBlockIsClaimedByTheNodeOrSessionThatHasIt() throws IOException {
        fill();
        Found blocks = part(storage.id(), Audit.BLOCKS);
        assertThat(blocks.last().found()).hasSize(6).isEqualTo(blocks.last().kept());
        assertThat(blocks.blocks(Audit.COMMITTED))
                .isNotEmpty()
                .isEqualTo(part(storage.id(), Audit.NODES).blocks(Audit.COMMITTED));
        assertThat(blocks.blocks(Audit.GRANTED))
                .isNotEmpty()
                .isEqualTo(part(storage.id(), Audit.GRANTS).blocks(Audit.GRANTED));
        assertThat(part(0, Audit.NODES).problems()).isEmpty();
        assertThat(part(0, Audit.TOTALS).mistakes()).isEmpty();
    }

    @Test
    void aBlockThatNobodyHasIsClaimedByNobody() throws IOException {
        fill();
        for (boolean committed : new boolean[] {false, true}) {
            BlockId id = orphan(committed);
            int state = committed ? Audit.COMMITTED : Audit.GRANTED;
            Set<List<Long>> left = part(storage.id(), Audit.BLOCKS).blocks(state);
            left.removeAll(part(storage.id(), Audit.NODES).blocks(state));
            left.removeAll(part(storage.id(), Audit.REMOVED).blocks(state));
            left.removeAll(part(storage.id(), Audit.GRANTS).blocks(state));
            assertThat(left).hasSize(1);
            assertThat(left.iterator().next().subList(0, 2))
                    .containsExactly((long) id.segment(), (long) id.record());
            namenode.restart();
            session.wire().reconnect(namenode::connect);
            storage.register(namenode::connect);
        }
    }

    @Test
    void blocksOfAFileThatIsTakenApartAreClaimedByIt(@TempDir Path other) throws IOException {
        // One that has no thread takes nothing apart between two requests.
        try (LocalNamenode still = LocalNamenode.start(other);
                FakeStorage server = new FakeStorage(new UUID(2, 2), 0, "host")) {
            server.format(0, 64 * MIB, 1);
            server.register(still::connect);
            try (TestSession asking = still.session("operator")) {
                asking.file("/long", 60 * MIB);
                Set<List<Long>> blocks =
                        part(asking, server.id(), Audit.BLOCKS, page -> {}).blocks(Audit.COMMITTED);
                assertThat(blocks).hasSize(60);
                var tree = still.engine().state().tree();
                var node = Objects.requireNonNull(tree.root().first());
                tree.unlink(node);
                tree.detach(node);
                assertThat(part(asking, server.id(), Audit.NODES, page -> {}).claims()).isEmpty();
                assertThat(
                                part(asking, server.id(), Audit.REMOVED, page -> {})
                                        .blocks(Audit.COMMITTED))
                        .isEqualTo(blocks);
            }
        }
    }

    @Test
    void extentsOnAServerThatCameBackEmptyAreLost() throws IOException {
        fill();
        session.file("/other", 5000);
        Set<BlockId> lost = new HashSet<>();
        for (String path : List.of("/d/f", "/d/g", "/other")) {
            session.lookup(path, Lookup.EXTENTS).extents().stream()
                    .map(extent -> extent.block().id())
                    .filter(id -> id.segment() == 1)
                    .forEach(lost::add);
        }
        assertThat(lost).isNotEmpty();
        storage.format(1, 32 * MIB, 99);
        storage.register(namenode::connect);
        List<Audit.Problem> problems = part(0, Audit.NODES).problems();
        assertThat(problems).allMatch(Audit.Problem::lost);
        assertThat(problems.stream().map(Audit.Problem::block))
                .containsExactlyInAnyOrderElementsOf(lost);
        assertThat(problems.stream().map(Audit.Problem::path))
                .allMatch(path -> path.equals("/other") || path.startsWith("/d/"));
    }

    @Test
    void aBlockOfANodeThatIsNotCommittedIsAProblemThatIsNotLoss() throws IOException {
        session.file("/f", 5000);
        BlockReference block = session.lookup("/f", Lookup.EXTENTS).extents().get(0).block();
        BlockId id = block.id();
        namenode.run(
                engine -> {
                    var blocks = engine.state().blocks();
                    blocks.unreference(
                            id.server(),
                            id.segment(),
                            id.record(),
                            block.length(),
                            block.generation());
                });
        assertThat(part(0, Audit.NODES).problems())
                .singleElement()
                .satisfies(
                        problem -> {
                            assertThat(problem.path()).isEqualTo("/f");
                            assertThat(problem.lost()).isFalse();
                            assertThat(problem.block()).isEqualTo(id);
                        });
    }

    @Test
    void aWrongSumIsFoundWhereItIsWrong() throws IOException {
        fill();
        long[] id = {0};
        namenode.run(
                engine -> {
                    ContainerNode container =
                            (ContainerNode)
                                    Objects.requireNonNull(engine.state().tree().root().first());
                    id[0] = container.id();
                    TotalsDamage.addFiles(container, 2);
                    TotalsDamage.addBlocks(container, 1, -KIB_4);
                });
        List<Audit.Mistake> mistakes = part(0, Audit.TOTALS).mistakes();
        List<Audit.Mistake> here =
                mistakes.stream().filter(mistake -> mistake.container() == id[0]).toList();
        assertThat(here.stream().map(Audit.Mistake::counter)).containsExactly(1, 5);
        assertThat(here).allMatch(mistake -> mistake.path().equals("/d"));
        assertThat(here.get(0).kept()).isEqualTo(here.get(0).found() + 2);
        assertThat(here.get(1).storageClass()).isEqualTo(1);
        assertThat(here.get(1).kept()).isEqualTo(here.get(1).found() - KIB_4);
        assertThat(mistakes).allMatch(m -> m.container() == id[0] || m.container() == 1);
    }

    @Test
    void noTurnOfTheNamenodeLooksAtManyNodesHoweverManyThereAre() throws IOException {
        int nodes = 400_000;
        fillTree(400, nodes / 400);
        int most = 10_000; // The limit, and what one slice is beyond it.
        for (int part : new int[] {Audit.NODES, Audit.TOTALS, Audit.GRANTS, Audit.REMOVED}) {
            long looks = 0;
            Audit.Position at = Audit.Position.START;
            Audit.Reply page;
            do {
                page =
                        session.wire()
                                .call(
                                        new Audit.Request(storage.id(), part, at),
                                        Audit.Reply::decode);
                assertThat(page.looks()).isLessThanOrEqualTo(most);
                looks += page.looks();
                at = page.next();
            } while (!page.end());
            boolean ofNodes = part == Audit.NODES || part == Audit.TOTALS;
            assertThat(looks).isGreaterThanOrEqualTo(ofNodes ? nodes : 0);
        }
        BlockId id = orphan(true);
        long generation = storage.generation(id.segment(), id.record());
        assertThat(repair(Repair.ORPHAN, 0, id, KIB_4, generation))
                .isGreaterThanOrEqualTo(nodes / most);
    }

    @Test
    void theSumsOfAHugeDirectoryAreCheckedInSlicesWhileItChanges() throws IOException {
        int files = 30_000;
        fillTree(1, files);
        int slices = 0;
        Audit.Position at = Audit.Position.START;
        Audit.Reply page;
        do {
            page = session.wire().call(new Audit.Request(0, Audit.TOTALS, at), Audit.Reply::decode);
            assertThat(page.looks()).isLessThanOrEqualTo(6_000);
            assertThat(page.mistakes()).isEmpty();
            at = page.next();
            slices++;
            // Behind what has been counted and before it, new and gone, larger and moved.
            session.write("/many0/a" + slices, 10_000);
            session.write("/many0/z" + slices, 10_000);
            session.delete("/many0/f" + slices, false);
            session.delete("/many0/f" + (files - slices), false);
            session.rename("/many0/f" + 2 * files / 3, "/many0/b" + slices, 0);
            session.rename("/many0/b" + slices, "/many0/f" + 2 * files / 3, 0);
        } while (!page.end());
        assertThat(slices).isGreaterThan(files / 6_000);
        namenode.run(
                engine ->
                        TotalsDamage.addFiles(
                                (ContainerNode)
                                        Objects.requireNonNull(
                                                engine.state().tree().root().first()),
                                1));
        assertThat(part(0, Audit.TOTALS).mistakes())
                .extracting(Audit.Mistake::path)
                .contains("/many0");
    }

    @Test
    void memoryIsShownWithoutGaps() throws IOException {
        fill();
        orphan(false);
        long bytes = 0;
        long next = 0;
        for (Audit.Claim claim : part(storage.id(), Audit.MEMORY).claims()) {
            assertThat(claim.state()).isBetween(Audit.FREE, Audit.LOST);
            long place = (long) claim.segment() * 32 * MIB + (long) claim.record() * KIB_4;
            if (claim.state() == Audit.INSIDE) {
                assertThat(place).isLessThan(next);
            } else {
                assertThat(place).isEqualTo(next);
                next += claim.length();
                bytes += claim.length();
            }
        }
        assertThat(bytes).isEqualTo(64L * MIB);
        Found used = part(storage.id(), Audit.BLOCKS);
        Found memory = part(storage.id(), Audit.MEMORY);
        for (int state : new int[] {Audit.GRANTED, Audit.COMMITTED, Audit.REVOKING}) {
            assertThat(memory.blocks(state)).isEqualTo(used.blocks(state));
        }
        assertThat(memory.last().permit()).isNotZero();
        assertThat(part(0, Audit.NODES).last().permit()).isZero();
    }

    @Test
    void aServerThatIsAskedToReportRegistersAgain() throws IOException {
        BlockId any = new BlockId(storage.id(), 0, 0);
        repair(Repair.REPORT, 0, any, 0, 0);
        assertThatThrownBy(() -> repair(Repair.REPORT, 0, any, 0, 0))
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("not there");
        storage.register(namenode::connect);
        repair(Repair.REPORT, 0, any, 0, 0);
        assertThatThrownBy(() -> repair(Repair.REPORT, 0, new BlockId(4711, 0, 0), 0, 0))
                .isInstanceOf(ConditionFailedException.class);
    }

    @Test
    void manyPagesShowWhatStaysHoweverMuchComesAndGoes() throws IOException {
        session.table("/t");
        int values = 6000;
        grantMany(values);
        Found granted = part(storage.id(), Audit.BLOCKS, page -> comeAndGo());
        assertThat(granted.pages()).isGreaterThan(2);
        assertThat(granted.last().found()).hasSize(6).isEqualTo(granted.last().kept());
        assertThat(granted.blocks(Audit.GRANTED)).hasSizeGreaterThanOrEqualTo(values);
    }

    private void grantMany(int blocks) throws IOException {
        namenode.run(
                engine -> {
                    for (int i = 0; i < blocks; i++) {
                        engine.state().blocks().grant(storage.id(), 1, i, KIB_4, 1);
                    }
                });
    }

    private void comeAndGo() {
        try {
            session.file("/come", 5000);
            session.delete("/come", false);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void unknownServersAndPartsAreRefused() {
        assertThatThrownBy(() -> part(4711, Audit.NODES))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("4711");
        assertThatThrownBy(() -> part(0, Audit.BLOCKS))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> part(0, 9)).isInstanceOf(InvalidArgumentException.class);
    }
}
