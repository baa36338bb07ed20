// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.QuotaExceededException;
import io.crail.error.WrongNodeTypeException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.Summary;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of what may lie below a container. */
final class QuotaTest {
    private static final int ALL = SetQuota.ALL_CLASSES;
    private static final long MIB = 1 << 20;

    @TempDir private Path directory;
    private TestNamenode namenode;
    private TestSession session;
    private FakeStorage storage;
    private FakeStorage slower;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        session = namenode.session("tester");
        storage = namenode.storage(8);
        slower = new FakeStorage(UUID.randomUUID(), 1, "slower.test");
        slower.format(0, 8 * MIB, 0x1002);
        slower.register(namenode::connect);
        session.mkdir("/q");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        namenode.run(engine -> Recount.check(engine.state()));
        storage.close();
        slower.close();
        session.close();
        namenode.close();
    }

    private void limitNodes(String path, long nodes) throws IOException {
        session.setQuota(path, nodes, List.of());
    }

    private void limitBytes(String path, int storageClass, long bytes) throws IOException {
        session.setQuota(path, -1, List.of(new SetQuota.ClassLimit(storageClass, bytes)));
    }

    // Nodes.

    @Test
    void noMoreNodesAreMadeThanTheQuotaAllowsAndTheErrorTellsAll() throws IOException {
        limitNodes("/q", 2);
        session.mkdir("/q/a");
        session.touch("/q/a/f");
        assertThatThrownBy(() -> session.touch("/q/a/g"))
                .isInstanceOf(QuotaExceededException.class)
                .hasMessageContaining("/q may hold 2 nodes and holds 2: no room for 1 more");
        assertThatThrownBy(() -> session.create("/q/x/y", NodeType.FILE, Create.PARENTS, 0))
                .isInstanceOf(QuotaExceededException.class);
        session.create("/q/a/f", NodeType.FILE, Create.OVERWRITE, 0);
        session.delete("/q/a/f", false);
        session.touch("/q/a/g");
        assertThat(session.list("/q")).containsExactly("a");
    }

    @Test
    void valuesAreNodesAndAnOverwriteIsNoNewOne() throws IOException {
        session.table("/q/t");
        limitNodes("/q/t", 1);
        session.put("/q/t", "a", "1");
        assertThatThrownBy(() -> session.put("/q/t", "b", "1"))
                .isInstanceOf(QuotaExceededException.class);
        session.put("/q/t", "a", "2");
        assertThat(session.get("/q/t", "a")).isEqualTo("2");
        limitNodes("/q", 1);
        session.remove("/q/t", "a");
        assertThatThrownBy(() -> session.put("/q/t", "b", "1"))
                .isInstanceOf(QuotaExceededException.class)
                .hasMessageContaining("/q may hold 1 nodes");
    }

    @Test
    void whatMovesInIsCountedAndWhatMovesWithinIsNot() throws IOException {
        session.mkdir("/q/a");
        session.mkdir("/q/b");
        session.mkdir("/tree");
        session.touch("/tree/f");
        limitNodes("/q", 3);
        assertThatThrownBy(() -> session.rename("/tree", "/q/tree", 0))
                .isInstanceOf(QuotaExceededException.class);
        session.rename("/q/a", "/q/b/a", 0);
        session.rename("/tree/f", "/q/f", 0);
        session.touch("/g");
        assertThatThrownBy(() -> session.rename("/g", "/q/g", 0))
                .isInstanceOf(QuotaExceededException.class);
        session.rename("/g", "/q/f", Rename.REPLACE);
        assertThat(session.list("/q")).containsExactly("b", "f");
        assertThat(session.list("/tree")).isEmpty();
    }

    @Test
    void blocksThatAreJoinedCountWhereTheTargetIs() throws IOException {
        session.mkdir("/in");
        session.mkdir("/in/deep");
        session.mkdir("/out");
        session.file("/in/target", 4096);
        session.file("/in/deep/near", 4096);
        session.file("/out/far", 4096);
        limitBytes("/in", SetQuota.ALL_CLASSES, 8192);
        Splicer.concat(session, "/in/target", "/in/deep/near");
        assertThatThrownBy(() -> Splicer.concat(session, "/in/target", "/out/far"))
                .isInstanceOf(QuotaExceededException.class)
                .hasMessageContaining("/in may hold 8192 bytes");
        assertThat(session.list("/out")).containsExactly("far");
        Splicer.truncate(session, "/in/target", 4096);
        Splicer.concat(session, "/in/target", "/out/far");
        assertThat(session.summary("/in").allocated()).isEqualTo(8192);
        assertThat(session.summary("/out").allocated()).isZero();
    }

    @Test
    void aLimitBelowTheUseRemovesNothingAndAddsNothing() throws IOException {
        session.touch("/q/a");
        session.touch("/q/b");
        limitNodes("/q", 0);
        assertThat(session.list("/q")).containsExactly("a", "b");
        assertThatThrownBy(() -> session.touch("/q/c")).isInstanceOf(QuotaExceededException.class);
        session.rename("/q/a", "/q/c", 0);
        session.delete("/q/b", false);
        limitNodes("/q", -1);
        session.touch("/q/b");
    }

    // Bytes.

    @Test
    void committedBytesNeverExceedTheLimit() throws IOException {
        limitBytes("/q", ALL, 100_000);
        session.file("/q/a", 65_536);
        assertThatThrownBy(() -> session.file("/q/b", 65_536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("do not fit the blocks granted");
        assertThat(session.summary("/q").allocated()).isEqualTo(65_536);
        limitBytes("/q", ALL, 65_536);
        assertThatThrownBy(() -> session.write("/q/c", 1))
                .isInstanceOf(QuotaExceededException.class)
                .hasMessageContaining("/q may hold 65536 bytes of blocks and holds 65536");
        assertThatThrownBy(() -> session.lookup("/q/c")).hasMessageContaining("does not exist");
    }

    @Test
    void grantsAreClippedToWhatFits() throws IOException {
        limitBytes("/q", 0, 3 * MIB + 5_000);
        Create.Reply writing = session.write("/q/f", 8 * MIB);
        long granted = writing.grants().stream().mapToLong(BlockReference::length).sum();
        assertThat(granted).isEqualTo(3 * MIB);
        List<BlockReference> more = session.grant(writing.status().id(), writing.handle(), 64_000);
        assertThat(more).extracting(BlockReference::length).containsExactly(4_096);
        assertThatThrownBy(() -> session.grant(writing.status().id(), writing.handle(), 1))
                .isInstanceOf(QuotaExceededException.class)
                .hasMessageContaining("in storage class 0");
    }

    @Test
    void ofTwoWritersTheSecondToCommitIsRefused() throws IOException {
        limitBytes("/q", ALL, 65_536);
        Create.Reply first = session.write("/q/a", 65_536);
        Create.Reply second = session.write("/q/b", 65_536);
        session.commit(
                first.status().id(), first.handle(), 0, true, TestRequests.fill(first.grants(), 1));
        assertThatThrownBy(
                        () ->
                                session.commit(
                                        second.status().id(),
                                        second.handle(),
                                        0,
                                        true,
                                        TestRequests.fill(second.grants(), 1)))
                .isInstanceOf(QuotaExceededException.class);
        session.abandon(second.status().id(), second.handle(), true);
        assertThat(session.list("/q")).containsExactly("a");
    }

    @Test
    void aValueInBlocksMayReplaceOneOfTheSameSizeAtTheLimit() throws IOException {
        session.table("/q/t");
        List<BlockReference> blocks = session.grantValue("/q/t", 65_536);
        List<BlockReference> again = session.grantValue("/q/t", 65_536);
        List<BlockReference> third = session.grantValue("/q/t", 65_536);
        limitBytes("/q", ALL, 65_536);
        session.putBlocks("/q/t", "k", TestRequests.fill(blocks, 65_536));
        session.putBlocks("/q/t", "k", TestRequests.fill(again, 65_536));
        assertThatThrownBy(() -> session.putBlocks("/q/t", "l", TestRequests.fill(third, 65_536)))
                .isInstanceOf(QuotaExceededException.class);
        assertThat(session.summary("/q").allocated()).isEqualTo(65_536);
    }

    @Test
    void classesAreLimitedOneByOneAndCountedWhereTheBlocksLie() throws IOException {
        session.file("/q/fast", 4_096);
        session.setStorageClass("/q", 1);
        session.file("/q/slow", 8_192);
        assertThat(session.summary("/").classes())
                .containsExactly(
                        new Summary.ClassUse(0, 4_096, -1), new Summary.ClassUse(1, 8_192, -1));
        limitBytes("/q", 1, 8_192);
        assertThatThrownBy(() -> session.write("/q/more", 1))
                .isInstanceOf(QuotaExceededException.class)
                .hasMessageContaining("in storage class 1 and holds 8192");
        session.setStorageClass("/q", 0);
        session.file("/q/more", 4_096);
        session.mkdir("/other");
        session.rename("/q/slow", "/other/slow", 0);
        assertThat(session.summary("/q").classes())
                .containsExactly(
                        new Summary.ClassUse(0, 8_192, -1), new Summary.ClassUse(1, 0, 8_192));
        session.rename("/other", "/q/other", 0);
        assertThat(session.summary("/q").classes()).contains(new Summary.ClassUse(1, 8_192, 8_192));
    }

    @Test
    void blocksOfStreamsCountInTheirClassUntilTheyAreTrimmed() throws IOException {
        session.setStorageClass("/q", 1);
        long stream = session.stream("/q/s", 0, 0, 0).id();
        List<BlockReference> blocks = session.appendBlocks(stream, 0, List.of(), 3, 4_096).grants();
        assertThat(blocks).hasSize(3);
        limitBytes("/q", 1, 8_192);
        session.appendBlocks(stream, 2, TestRequests.fill(blocks.subList(0, 1), 4_096), 0, 0);
        session.appendBlocks(stream, 2, TestRequests.fill(blocks.subList(1, 2), 4_096), 0, 0);
        List<CommittedExtent> third = TestRequests.fill(blocks.subList(2, 3), 4_096);
        assertThatThrownBy(() -> session.appendBlocks(stream, 2, third, 0, 0))
                .isInstanceOf(QuotaExceededException.class);
        assertThatThrownBy(() -> session.appendBlocks(stream, 0, List.of(), 1, 4_096))
                .isInstanceOf(QuotaExceededException.class);
        assertThat(session.append(stream, "inline").grants()).isEmpty();
        assertThat(session.summary("/q").classes())
                .containsExactly(new Summary.ClassUse(1, 8_192, 8_192));
        session.trim(stream, 2);
        namenode.settle();
        session.appendBlocks(stream, 2, third, 0, 0);
        assertThat(session.summary("/q").classes())
                .containsExactly(new Summary.ClassUse(1, 8_192, 8_192));
    }

    // Setting.

    @Test
    void limitsAreSetAllAtOnceAndShownWithTheUse() throws IOException {
        session.setQuota(
                "/q",
                10,
                List.of(new SetQuota.ClassLimit(ALL, 100), new SetQuota.ClassLimit(7, 50)));
        Summary.Reply summary = session.summary("/q");
        assertThat(summary.nodeLimit()).isEqualTo(10);
        assertThat(summary.classes())
                .containsExactly(new Summary.ClassUse(7, 0, 50), new Summary.ClassUse(ALL, 0, 100));
        session.setQuota("/q", -1, List.of());
        assertThat(session.summary("/q").nodeLimit()).isEqualTo(-1);
        assertThat(session.summary("/q").classes()).isEmpty();
        assertThat(namenode.<Boolean>ask(e -> e.state().tree().extras().hasQuotas())).isFalse();
    }

    @Test
    void impossibleLimitsAreRefused() throws IOException {
        session.touch("/f");
        assertThatThrownBy(() -> limitNodes("/f", 1)).isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> limitNodes("/q", -2)).isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> limitBytes("/q", 256, 1))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(
                        () ->
                                session.setQuota(
                                        "/q",
                                        -1,
                                        List.of(
                                                new SetQuota.ClassLimit(0, 1),
                                                new SetQuota.ClassLimit(0, 2))))
                .isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void logAndSnapshotKeepLimitsAndCounts() throws IOException {
        session.setStorageClass("/q", 1);
        session.file("/q/slow", 8_192);
        limitNodes("/", 3);
        namenode.snapshot();
        limitBytes("/q", 1, 8_192);
        session.touch("/f");
        TestNamenode.Memory memory = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(memory);
        session.close();
        session = namenode.session("again");
        assertThatThrownBy(() -> session.touch("/g")).isInstanceOf(QuotaExceededException.class);
        session.delete("/q", true);
        session.touch("/g");
        session.touch("/h");
    }
}
