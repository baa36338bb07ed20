// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.LeaseLostException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NotEmptyException;
import io.crail.error.WrongNodeTypeException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.AwaitLength;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files: leases, commits, handles. */
final class FileTest {
    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession writer;
    private TestSession other;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = namenode.storage(16);
        writer = namenode.session("writer");
        other = namenode.session("other");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        storage.close();
        writer.close();
        other.close();
        namenode.close();
    }

    private void leaseRunsOut() throws IOException {
        namenode.advance(Duration.ofSeconds(16));
        storage.heartbeat();
        other.keepAlive(new long[0], List.of());
    }

    @Test
    void committedBytesAreSeenByAllOthersAreNot() throws IOException {
        Create.Reply open = writer.write("/f", 10_000);
        assertThat(open.grants()).isNotEmpty();
        assertThat(open.grants().get(0).rights())
                .isEqualTo(BlockReference.READ | BlockReference.WRITE);
        long node = open.status().id();
        assertThat(other.lookup("/f").length()).isZero();
        assertThat(other.lookup("/f").has(NodeStatus.OPEN_FOR_WRITING)).isTrue();
        NodeStatus half =
                writer.commit(
                        node, open.handle(), 0, false, TestRequests.fill(open.grants(), 5000));
        assertThat(half.length()).isEqualTo(5000);
        Lookup.Reply seen = other.lookup("/f", Lookup.EXTENTS);
        assertThat(seen.status()).isEqualTo(half);
        assertThat(seen.extents().get(0).length()).isEqualTo(5000);
        assertThat(seen.extents().get(0).tailCrc()).isNotZero();
        NodeStatus all =
                writer.commit(
                        node, open.handle(), 5000, true, TestRequests.fill(open.grants(), 10_000));
        assertThat(all.length()).isEqualTo(10_000);
        assertThat(all.version()).isGreaterThan(half.version());
        assertThat(all.has(NodeStatus.OPEN_FOR_WRITING)).isFalse();
    }

    @Test
    void closingFreesWhatWasNotUsed() throws IOException {
        Create.Reply open = writer.write("/f", 3 << 20);
        assertThat(open.grants()).hasSize(3);
        writer.commit(
                open.status().id(), open.handle(), 0, true, TestRequests.fill(open.grants(), 100));
        assertThat(storage.fenceAll()).isEqualTo(2);
        assertThat(writer.lookup("/f").allocated()).isEqualTo(1 << 20);
    }

    @Test
    void appendingContinuesTheLastBlockAfterACleanClose() throws IOException {
        Create.Reply open = writer.write("/f", 100);
        long node = open.status().id();
        writer.commit(node, open.handle(), 0, true, TestRequests.fill(open.grants(), 100));
        Open.Reply append = other.open("/f", Open.APPEND, 0);
        assertThat(append.extents()).hasSize(1);
        BlockReference last = append.extents().get(0).block();
        assertThat(last.rights()).isEqualTo(BlockReference.READ | BlockReference.WRITE);
        other.commit(node, append.handle(), 100, true, List.of(TestRequests.extent(last, 4096)));
        assertThat(other.lookup("/f").length()).isEqualTo(4096);
        Open.Reply full = writer.open("/f", Open.APPEND, 100);
        assertThat(full.extents()).isEmpty();
        assertThat(full.grants()).hasSize(1);
        writer.commit(
                node,
                full.handle(),
                4096,
                true,
                List.of(TestRequests.extent(full.grants().get(0), 1)));
        assertThat(other.lookup("/f").length()).isEqualTo(4097);
        assertThat(other.extents(node, 4096, 64).extents()).hasSize(1);
        assertThat(other.extents(node, 4097, 64).extents()).isEmpty();
    }

    @Test
    void aLeaseIsHeldUntilItsSessionHasBeenSilentForTheLeaseTime() throws IOException {
        Create.Reply open = writer.write("/f", 100);
        assertThatThrownBy(() -> other.open("/f", Open.APPEND, 0))
                .isInstanceOf(LeaseHeldException.class)
                .hasMessageContaining("writer");
        assertThatThrownBy(() -> writer.open("/f", Open.APPEND, 0))
                .isInstanceOf(LeaseHeldException.class);
        namenode.advance(Duration.ofSeconds(14));
        writer.keepAlive(new long[0], List.of());
        namenode.advance(Duration.ofSeconds(14));
        assertThatThrownBy(() -> other.open("/f", Open.APPEND, 0))
                .isInstanceOf(LeaseHeldException.class);
        namenode.advance(Duration.ofSeconds(2));
        Open.Reply taken = other.open("/f", Open.APPEND, 100);
        assertThatThrownBy(
                        () ->
                                writer.commit(
                                        open.status().id(),
                                        open.handle(),
                                        0,
                                        false,
                                        TestRequests.fill(open.grants(), 10)))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> writer.grant(open.status().id(), open.handle(), 100))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> writer.abandon(open.status().id(), open.handle(), true))
                .isInstanceOf(LeaseLostException.class);
        assertThat(storage.fenceAll()).isEqualTo(1);
        other.commit(open.status().id(), taken.handle(), 0, true, List.of());
    }

    @Test
    void aSilentWriterGoesOnWhenNobodyTookItsLease() throws IOException {
        Create.Reply open = writer.write("/f", 100);
        leaseRunsOut();
        writer.commit(
                open.status().id(), open.handle(), 0, true, TestRequests.fill(open.grants(), 100));
    }

    @Test
    void aPauseOfTheNamenodeCostsNobodyALease() throws IOException {
        writer.write("/f", 100);
        namenode.pause(Duration.ofHours(1));
        storage.heartbeat();
        assertThatThrownBy(() -> other.open("/f", Open.APPEND, 0))
                .isInstanceOf(LeaseHeldException.class);
    }

    @Test
    void aTakenOverBlockIsNeverContinuedNotEvenAfterACleanCloseThatAddedNothing()
            throws IOException {
        Create.Reply open = writer.write("/f", 4096);
        long node = open.status().id();
        writer.commit(node, open.handle(), 0, false, TestRequests.fill(open.grants(), 100));
        leaseRunsOut();
        Open.Reply second = other.open("/f", Open.APPEND, 0);
        assertThat(second.extents()).as("the block may still be written by the first").isEmpty();
        BlockReference old = other.extents(node, 0, 1).extents().get(0).block();
        assertThatThrownBy(
                        () ->
                                other.commit(
                                        node,
                                        second.handle(),
                                        100,
                                        false,
                                        List.of(TestRequests.extent(old, 200))))
                .isInstanceOf(InvalidArgumentException.class);
        other.commit(node, second.handle(), 100, true, List.of());
        Open.Reply third = other.open("/f", Open.APPEND, 0);
        assertThat(third.extents()).isEmpty();
        other.commit(node, third.handle(), 100, true, List.of());
        assertThat(storage.serves(old)).isTrue();
    }

    @Test
    void whoTookALeaseOverContinuesBlocksOfItsOwn() throws IOException {
        Create.Reply open = writer.write("/f", 4096);
        long node = open.status().id();
        writer.commit(node, open.handle(), 0, false, TestRequests.fill(open.grants(), 100));
        leaseRunsOut();
        Open.Reply second = other.open("/f", Open.APPEND, 4096);
        BlockReference mine = second.grants().get(0);
        other.commit(node, second.handle(), 100, false, List.of(TestRequests.extent(mine, 10)));
        other.commit(node, second.handle(), 110, false, List.of(TestRequests.extent(mine, 20)));
        other.commit(node, second.handle(), 120, true, List.of(TestRequests.extent(mine, 30)));
        Open.Reply third = other.open("/f", Open.APPEND, 0);
        assertThat(third.extents()).hasSize(1);
        assertThat(third.extents().get(0).block().id()).isEqualTo(mine.id());
        assertThat(third.status().length()).isEqualTo(130);
    }

    @Test
    void committedBytesDoNotChange() throws IOException {
        Create.Reply open = writer.write("/f", 4096);
        long node = open.status().id();
        CommittedExtent hundred = TestRequests.extent(open.grants().get(0), 100);
        writer.commit(node, open.handle(), 0, false, List.of(hundred));
        writer.commit(node, open.handle(), 100, false, List.of(hundred));
        for (CommittedExtent wrong :
                List.of(
                        new CommittedExtent(open.grants().get(0), 100, 1),
                        TestRequests.extent(open.grants().get(0), 99))) {
            assertThatThrownBy(() -> writer.commit(node, open.handle(), 100, false, List.of(wrong)))
                    .isInstanceOf(InvalidArgumentException.class);
        }
        assertThatThrownBy(() -> writer.commit(node, open.handle(), 99, false, List.of()))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aCommitTakesOnlyGrantedBlocksOnceAndNotBeyondTheirSize() throws IOException {
        Create.Reply open = writer.write("/f", 4096);
        Create.Reply foreign = other.write("/g", 4096);
        long node = open.status().id();
        BlockReference block = open.grants().get(0);
        CommittedExtent tooLong = new CommittedExtent(block, 8192, 0);
        CommittedExtent wrongCrc = new CommittedExtent(block, 4096, 1);
        CommittedExtent good = TestRequests.extent(block, 4096);
        for (List<CommittedExtent> wrong :
                List.of(
                        TestRequests.fill(foreign.grants(), 10),
                        List.of(tooLong),
                        List.of(wrongCrc),
                        List.of(good, good))) {
            assertThatThrownBy(() -> writer.commit(node, open.handle(), 0, false, wrong))
                    .isInstanceOf(InvalidArgumentException.class);
        }
        assertThatThrownBy(() -> other.commit(node, open.handle(), 0, false, List.of(good)))
                .isInstanceOf(LeaseLostException.class);
        assertThat(writer.lookup("/f").length()).isZero();
        writer.commit(node, open.handle(), 0, true, List.of(good));
    }

    @Test
    void overwritingAFileBeingWrittenTakesItFromItsWriter() throws IOException {
        Create.Reply old = writer.write("/f", 100);
        Create.Reply fresh = other.create("/f", NodeType.FILE, Create.OVERWRITE | Create.OPEN, 100);
        assertThatThrownBy(
                        () ->
                                writer.commit(
                                        old.status().id(),
                                        old.handle(),
                                        0,
                                        true,
                                        TestRequests.fill(old.grants(), 100)))
                .isInstanceOf(LeaseLostException.class);
        other.commit(
                fresh.status().id(), fresh.handle(), 0, true, TestRequests.fill(fresh.grants(), 7));
        assertThat(writer.lookup("/f").length()).isEqualTo(7);
        assertThat(storage.fenceAll()).isEqualTo(1);
    }

    @Test
    void anUnlinkedFileKeepsItsBlocksUntilItsLastReaderHasClosedIt() throws IOException {
        long node = writer.file("/f", 5000).id();
        long first = other.open("/f", Open.READ, 0).handle();
        long second = writer.open("/f", Open.READ, 0).handle();
        writer.delete("/f", false);
        assertThatThrownBy(() -> other.lookup("/f")).isInstanceOf(NoSuchNodeException.class);
        assertThat(other.extents(node, 0, 64).extents()).hasSize(1);
        assertThat(other.extents(node, 0, 64).status().has(NodeStatus.UNLINKED)).isTrue();
        other.closeHandle(first);
        other.closeHandle(first);
        assertThat(storage.fenceAll()).isZero();
        namenode.restart();
        storage.register(namenode::connect);
        writer.wire().reconnect(namenode::connect);
        assertThat(storage.fenceAll()).isZero();
        assertThat(writer.extents(node, 0, 64).extents()).hasSize(1);
        writer.closeHandle(second);
        assertThat(storage.fenceAll()).isEqualTo(1);
        assertThatThrownBy(() -> writer.extents(node, 0, 64))
                .isInstanceOf(NoSuchNodeException.class);
    }

    @Test
    void aReplacedFileStaysReadableThroughItsHandle() throws IOException {
        long node = writer.file("/f", 5000).id();
        Open.Reply read = other.open("/f", Open.READ, 0);
        writer.create("/f", NodeType.FILE, Create.OVERWRITE, 0);
        assertThat(other.extents(node, 0, 64).extents()).isEqualTo(read.extents());
        other.endSession();
        assertThat(storage.fenceAll()).isEqualTo(1);
    }

    @Test
    void abandoningAnEmptyNewFileRemovesItIfAskedFor() throws IOException {
        Create.Reply open = writer.write("/f", 100);
        writer.abandon(open.status().id(), open.handle(), true);
        assertThatThrownBy(() -> writer.lookup("/f")).isInstanceOf(NoSuchNodeException.class);
        assertThat(storage.fenceAll()).isEqualTo(1);
        Create.Reply kept = writer.write("/g", 100);
        writer.abandon(kept.status().id(), kept.handle(), false);
        assertThat(writer.lookup("/g").length()).isZero();
        Open.Reply append = writer.open("/g", Open.APPEND, 0);
        writer.abandon(kept.status().id(), append.handle(), true);
        assertThat(writer.lookup("/g").has(NodeStatus.OPEN_FOR_WRITING)).isFalse();
    }

    @Test
    void abandoningKeepsWhatWasCommittedAndSealsIt() throws IOException {
        Create.Reply open = writer.write("/f", 100);
        long node = open.status().id();
        writer.commit(node, open.handle(), 0, false, TestRequests.fill(open.grants(), 50));
        writer.abandon(node, open.handle(), true);
        assertThat(writer.lookup("/f").length()).isEqualTo(50);
        assertThat(writer.open("/f", Open.APPEND, 0).extents()).isEmpty();
    }

    @Test
    void onlyFilesAreOpened() throws IOException {
        writer.mkdir("/d");
        assertThatThrownBy(() -> writer.open("/d", Open.READ, 0))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> writer.open("/x", Open.READ, 0))
                .isInstanceOf(NoSuchNodeException.class);
        writer.touch("/d/f");
        assertThatThrownBy(() -> writer.open("/d/f", 3, 0))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> writer.delete("/d", false)).isInstanceOf(NotEmptyException.class);
    }

    @Test
    void awaitLengthTellsTheFirstGrowthAndTheEnd() throws IOException {
        Create.Reply open = writer.write("/f", 4096);
        long node = open.status().id();
        BlockReference block = open.grants().get(0);
        await(node, 0);
        writer.commit(node, open.handle(), 0, false, List.of(TestRequests.extent(block, 10)));
        assertThat(answer().length()).isEqualTo(10);
        assertThat(other.awaitLength(node, 5, 1000).length()).isEqualTo(10);
        await(node, 10);
        writer.commit(node, open.handle(), 10, true, List.of());
        assertThat(answer().has(NodeStatus.OPEN_FOR_WRITING)).isFalse();
        assertThat(other.awaitLength(node, 10, 1000).length()).isEqualTo(10);
    }

    @Test
    void awaitLengthEndsWhenItsTimeIsOverOrTheFileIsGone() throws IOException {
        Create.Reply open = writer.write("/f", 4096);
        long node = open.status().id();
        await(node, 0);
        namenode.advance(Duration.ofSeconds(10));
        assertThat(answer().length()).isZero();
        await(node, 0);
        writer.delete("/f", false);
        namenode.tick();
        assertThatThrownBy(this::answer).isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(() -> other.awaitLength(node, 0, 1000))
                .isInstanceOf(NoSuchNodeException.class);
    }

    private void await(long node, long known) throws IOException {
        WireClient wire = other.wire();
        wire.connection()
                .send(
                        wire.frame(
                                wire.nextId(),
                                new AwaitLength.Request(node, 0, known, 10_000),
                                TestSession.NOTHING));
        // Answered behind it, so the wait has begun.
        writer.statistics();
    }

    private NodeStatus answer() throws IOException {
        return NodeStatus.decode(other.wire().connection().receive().orThrow().reader());
    }

    @Test
    void aFileOfManyBlocksIsShownInPages() throws IOException {
        Create.Reply open = writer.write("/f", 4096);
        long node = open.status().id();
        long length = 4096;
        writer.commit(node, open.handle(), 0, false, TestRequests.fill(open.grants(), 4096));
        for (int i = 0; i < 99; i++) {
            List<BlockReference> more = writer.grant(node, open.handle(), 4096);
            writer.commit(node, open.handle(), length, false, TestRequests.fill(more, 4096));
            length += 4096;
        }
        assertThat(other.lookup("/f", Lookup.EXTENTS).extents()).hasSize(64);
        assertThat(other.extents(node, 64 * 4096, 64).extents()).hasSize(36);
        assertThat(other.extents(node, 64 * 4096, 64).extents().get(0).offset())
                .isEqualTo(64 * 4096);
        assertThat(other.extents(node, 99 * 4096 + 4095, 64).extents()).hasSize(1);
        assertThat(other.extents(node, 5000, 3).extents()).hasSize(3);
        writer.delete("/f", false);
        assertThat(storage.fenceAll()).isEqualTo(100);
    }
}
