// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ConditionFailedException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.TotalsDamage;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Repair;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the namenode shows of its blocks, whole and damaged. */
final class AuditTest {
    private static final int MIB = 1 << 20;
    private static final int KIB_4 = BlockGeometry.MIN_BLOCK;

    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;

    private record Found(
            List<Audit.Claim> claims,
            List<Audit.Problem> problems,
            List<Audit.Mistake> mistakes,
            Audit.Reply last,
            int pages) {
        Set<List<Long>> blocks(int state) {
            Set<List<Long>> blocks = new HashSet<>();
            for (Audit.Claim claim : claims) {
                if (claim.state() == state) {
                    blocks.add(
                            List.of(
                                    (long) claim.segment(),
                                    (long) claim.record(),
                                    (long) claim.length(),
                                    claim.generation()));
                }
            }
            return blocks;
        }
    }

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = new FakeStorage(new UUID(1, 1), 1, "host");
        storage.format(0, 32 * MIB, 1);
        storage.format(1, 32 * MIB, 2);
        storage.register(namenode::connect);
        session = namenode.session("operator");
        session.setStorageClass("/", 1);
    }

    @AfterEach
    void stop() throws IOException {
        session.close();
        storage.close();
        namenode.close();
    }

    private Found part(int server, int part) throws IOException {
        return part(server, part, page -> {});
    }

    private Found part(int server, int part, Consumer<Integer> between) throws IOException {
        return part(session, server, part, between);
    }

    private static Found part(TestSession asking, int server, int part, Consumer<Integer> between)
            throws IOException {
        List<Audit.Claim> claims = new ArrayList<>();
        List<Audit.Problem> problems = new ArrayList<>();
        List<Audit.Mistake> mistakes = new ArrayList<>();
        Audit.Position at = Audit.Position.START;
        int pages = 0;
        while (true) {
            Audit.Reply page =
                    asking.wire().call(new Audit.Request(server, part, at), Audit.Reply::decode);
            claims.addAll(page.claims());
            problems.addAll(page.problems());
            mistakes.addAll(page.mistakes());
            pages++;
            if (page.end()) {
                return new Found(claims, problems, mistakes, page, pages);
            }
            assertThat(page.next()).isNotEqualTo(at);
            at = page.next();
            between.accept(pages);
        }
    }

    private void fill() throws IOException {
        session.mkdir("/d");
        session.file("/d/f", 3 * MIB + 5000);
        session.file("/d/g", 5000);
        session.table("/d/t");
        session.put("/d/t", "k", "v");
        session.write("/d/open", 300_000);
        session.grantValue("/d/t", 100_000);
    }

    /** A block that nobody has. */
    private BlockId orphan(boolean committed) throws IOException {
        BlockId id = new BlockId(storage.id(), 0, 0);
        namenode.run(
                engine -> {
                    var blocks = engine.state().blocks();
                    long generation = blocks.generation(id.server(), id.segment(), id.record());
                    blocks.grant(id.server(), id.segment(), id.record(), KIB_4, (int) generation);
                    if (committed) {
                        blocks.commit(id.server(), id.segment(), id.record(), KIB_4, generation);
                    }
                });
        return id;
    }

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

    /** Repairs to the end; returns in how many turns of the namenode. */
    private int repair(int step, long node, BlockId id, int length, long generation)
            throws IOException {
        Repair.Request request = new Repair.Request(step, node, id, length, generation);
        int turns = 1;
        while (session.wire().call(request, Repair.Reply::decode).more()) {
            turns++;
        }
        return turns;
    }

    private void fillTree(int directories, int files) throws IOException {
        namenode.run(
                engine -> {
                    var tree = engine.state().tree();
                    var attributes = tree.root().attributes();
                    long id = 1L << 40;
                    for (int d = 0; d < directories; d++) {
                        var directory =
                                tree.newContainer(id++, NodeType.DIRECTORY, attributes, 0, 0);
                        tree.link(tree.root(), name("many", d), directory);
                        for (int f = 0; f < files; f++) {
                            var file = tree.newFile(id++, attributes, new ExtentList(), 0, 0);
                            tree.link(directory, name("f", f), file);
                        }
                    }
                });
    }

    private static byte[] name(String prefix, int number) {
        return (prefix + number).getBytes(StandardCharsets.US_ASCII);
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
