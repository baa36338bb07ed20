// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.WrongNodeTypeException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.StreamAppend;
import io.crail.protocol.message.StreamExtents;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams at the namenode. */
final class StreamTest extends OneNamenode {
    private long stream;

    @BeforeEach
    void make() throws IOException {
        stream = session.stream("/s", 0, 0, 0).id();
    }

    private List<CommittedExtent> blocks(int records, int bytes) throws IOException {
        return TestRequests.fill(
                session.appendBlocks(stream, 0, List.of(), records, bytes).grants(), bytes);
    }

    @Test
    void offsetsCountRecordsInTheOrderOfCommit() throws IOException {
        try (FakeStorage storage = namenode.storage(4);
                TestSession other = namenode.session("other")) {
            List<CommittedExtent> slow = blocks(1, 5000);
            assertThat(session.append(stream, "a", "b").offset()).isZero();
            assertThat(other.append(stream, "c").offset()).isEqualTo(2);
            assertThat(session.appendBlocks(stream, 7, slow, 0, 0).offset()).isEqualTo(3);
            assertThat(other.append(stream, "d").offset()).isEqualTo(10);
            StreamExtents.Reply all = session.records(stream, 0, 0, 0);
            assertThat(all.first()).isZero();
            assertThat(all.next()).isEqualTo(11);
            assertThat(all.runs())
                    .containsExactly(
                            new StreamExtents.Run(0, 0, 3, 27, 0),
                            new StreamExtents.Run(3, 27, 7, 5000, 1),
                            new StreamExtents.Run(10, 5027, 1, 9, 0));
            assertThat(all.extents()).hasSize(1);
            assertThat(all.extents().get(0).offset()).isEqualTo(27);
            assertThat(all.status().length()).isEqualTo(5036);
            assertThat(all.status().children()).isEqualTo(11);
            assertThat(storage.fenceAll()).isZero();
        }
    }

    @Test
    void aReaderStartsAtAnyRecordOfAnInlineRun() throws IOException {
        session.append(stream, "a", "bb");
        session.append(stream, "ccc");
        assertThat(session.records(stream, 1, 0, 0).runs())
                .containsExactly(new StreamExtents.Run(1, 9, 2, 21, 0));
        assertThat(session.records(stream, 3, 0, 0).runs()).isEmpty();
        assertThat(session.records(stream, 9, 0, 0).runs()).isEmpty();
    }

    @Test
    void blocksOfARunThatExceedsAnAnswerAreToldInParts() throws IOException {
        try (FakeStorage storage = namenode.storage(4)) {
            List<CommittedExtent> extents = new ArrayList<>();
            while (extents.size() < 100) {
                for (BlockReference block :
                        session.appendBlocks(stream, 0, List.of(), 50, 4096).grants()) {
                    extents.add(TestRequests.extent(block, 4096));
                }
            }
            session.appendBlocks(stream, 5, extents, 0, 0);
            session.append(stream, "behind");
            StreamExtents.Reply first = session.records(stream, 2, 0, 0);
            assertThat(first.extents()).hasSize(64);
            assertThat(first.runs()).hasSize(1);
            StreamExtents.Reply rest = session.records(stream, 0, 64, 0);
            assertThat(rest.extents()).hasSize(36);
            assertThat(rest.extents().get(0).offset()).isEqualTo(64 * 4096);
            assertThat(rest.runs()).hasSize(2);
            session.delete("/s", false);
            assertThat(storage.fenceAll()).isEqualTo(100);
        }
    }

    @Test
    void aWriterThatEndsLeavesNoHoleAndNoBlock() throws IOException {
        try (FakeStorage storage = namenode.storage(4)) {
            TestSession writer = namenode.session("writer");
            writer.append(stream, "before");
            assertThat(writer.appendBlocks(stream, 0, List.of(), 3, 4096).grants()).hasSize(3);
            writer.endSession();
            writer.close();
            assertThat(session.append(stream, "after").offset()).isEqualTo(1);
            assertThat(storage.fenceAll()).isEqualTo(3);
        }
    }

    @Test
    void anAnswerBringsTheNextBlocksButTheirLackIsNoError() throws IOException {
        assertThatThrownBy(() -> session.appendBlocks(stream, 0, List.of(), 1, 4096))
                .isInstanceOf(OutOfSpaceException.class);
        StreamAppend.Reply none =
                session.wire()
                        .call(
                                TestRequests.appendRequest(stream, 1, List.of(), 4, 4096),
                                TestRequests.frames(List.of("x")),
                                StreamAppend.Reply::decode);
        assertThat(none.grants()).isEmpty();
        assertThat(none.offset()).isZero();
        try (FakeStorage storage = namenode.storage(4)) {
            List<CommittedExtent> first = blocks(1, 4096);
            StreamAppend.Reply reply = session.appendBlocks(stream, 2, first, 4, 60_000);
            assertThat(reply.grants()).hasSize(4);
            assertThat(reply.grants()).allMatch(block -> block.length() == 65_536);
            session.endSession();
            assertThat(storage.fenceAll()).isEqualTo(4);
            session.close();
            session = namenode.session("again");
        }
    }

    @Test
    void whatIsNotTheFramesOfSoManyRecordsIsRefused() throws IOException {
        for (int records : new int[] {1, 3}) {
            assertThatThrownBy(
                            () ->
                                    session.wire()
                                            .call(
                                                    TestRequests.appendRequest(
                                                            stream, records, List.of(), 0, 0),
                                                    TestRequests.frames(List.of("one", "two")),
                                                    StreamAppend.Reply::decode))
                    .isInstanceOf(InvalidArgumentException.class);
        }
        assertThatThrownBy(() -> session.append(stream, "x".repeat(1017)))
                .isInstanceOf(InvalidArgumentException.class);
        session.append(stream, "x".repeat(1016));
        try (FakeStorage storage = namenode.storage(4)) {
            List<CommittedExtent> block = blocks(1, 20);
            assertThatThrownBy(() -> session.appendBlocks(stream, 3, block, 0, 0))
                    .isInstanceOf(InvalidArgumentException.class);
            session.appendBlocks(stream, 2, block, 0, 0);
            assertThatThrownBy(() -> session.appendBlocks(stream, 2, block, 0, 0))
                    .isInstanceOf(InvalidArgumentException.class);
            assertThat(storage.fenceAll()).isZero();
        }
        session.touch("/f");
        long file = session.lookup("/f").id();
        assertThatThrownBy(() -> session.append(file, "x"))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.append(4711, "x")).isInstanceOf(NoSuchNodeException.class);
        assertThat(session.records(stream, 0, 0, 0).next()).isEqualTo(3);
    }

    @Test
    void aStreamTakesFourMebibytesInlineAndSaysHowMuchMore() throws IOException {
        String text = "x".repeat(1016);
        int appends = (4 << 20) / 1024;
        for (int i = 0; i < appends; i++) {
            int room = session.append(stream, text).inlineRoom();
            assertThat(room).isEqualTo((4 << 20) - 1024 * (i + 1));
        }
        assertThatThrownBy(() -> session.append(stream, text))
                .isInstanceOf(OutOfSpaceException.class);
        session.trim(stream, 64);
        assertThat(session.append(stream, text).offset()).isEqualTo(appends);
        session.delete("/s", false);
        assertThat(session.statistics().inlineBytes()).isZero();
    }

    @Test
    void aTrimIsExactAndFreesWholeRuns() throws IOException {
        try (FakeStorage storage = namenode.storage(4)) {
            session.appendBlocks(stream, 10, blocks(1, 4096), 0, 0);
            session.appendBlocks(stream, 10, blocks(1, 4096), 0, 0);
            assertThat(session.trim(stream, 5).first()).isEqualTo(5);
            assertThat(storage.fenceAll()).isZero();
            assertThat(session.records(stream, 4, 0, 0).runs()).isEmpty();
            assertThat(session.records(stream, 5, 0, 0).runs()).hasSize(2);
            assertThat(session.trim(stream, 3).first()).isEqualTo(5);
            assertThat(session.trim(stream, 11).first()).isEqualTo(11);
            assertThat(storage.fenceAll()).isEqualTo(1);
            assertThatThrownBy(() -> session.trim(stream, 21))
                    .isInstanceOf(OffsetOutOfRangeException.class);
            assertThat(session.trim(stream, 20).first()).isEqualTo(20);
            assertThat(storage.fenceAll()).isEqualTo(1);
            assertThat(session.append(stream, "next").offset()).isEqualTo(20);
            assertThat(session.summary("/").allocated()).isZero();
        }
    }

    @Test
    void aLargeTrimFreesItsBlocksInSlices() throws IOException {
        try (FakeStorage storage = namenode.storage(8)) {
            for (int i = 0; i < 300; i++) {
                session.appendBlocks(stream, 1, blocks(1, 4096), 0, 0);
            }
            assertThat(session.trim(stream, 300).first()).isEqualTo(300);
            assertThat(session.lookup("/s").length()).isPositive();
            TestNamenode.Memory memory = namenode.memory();
            namenode.restart();
            namenode.assertRemembers(memory, line -> line.startsWith("//"));
            session.wire().reconnect(namenode::connect);
            storage.register(namenode::connect);
            namenode.advance(Duration.ofSeconds(3));
            assertThat(session.lookup("/s").length()).isZero();
            assertThat(storage.fenceAll()).isEqualTo(300);
        }
    }

    @Test
    void retentionKeepsTheNewestByBytesRecordsAndAge() throws IOException {
        String text = "x".repeat(1016);
        long bytes = session.stream("/bytes", 20 * 1024, 0, 0).id();
        long records = session.stream("/records", 0, 10, 0).id();
        long age = session.stream("/age", 0, 0, 10_000).id();
        for (int i = 0; i < 100; i++) {
            session.append(bytes, text);
            session.append(records, text);
        }
        StreamExtents.Reply kept = session.records(bytes, 0, 0, 0);
        assertThat(kept.next() - kept.first()).isBetween(12L, 20L);
        kept = session.records(records, 0, 0, 0);
        assertThat(kept.next() - kept.first()).isBetween(2L, 10L);
        session.append(age, "old");
        namenode.advance(Duration.ofSeconds(5));
        assertThat(session.records(age, 0, 0, 0).runs()).hasSize(1);
        namenode.advance(Duration.ofSeconds(6));
        assertThat(session.records(age, 0, 0, 0).first()).isEqualTo(1);
        assertThat(session.append(age, "new").offset()).isEqualTo(1);
    }

    @Test
    void trimmedRecordsDoNotCountTowardsTheRecordsKept() throws IOException {
        String text = "x".repeat(1000);
        long limited = session.stream("/limited", 0, 10, 0).id();
        for (int i = 0; i < 10; i++) {
            session.append(limited, text); // Eight of these share a run.
        }
        session.trim(limited, 5);
        session.append(limited, text);
        StreamExtents.Reply kept = session.records(limited, 0, 0, 0);
        assertThat(kept.first()).isEqualTo(5);
        assertThat(kept.next()).isEqualTo(11);
    }

    @Test
    void whoWaitsIsAnsweredByTheNextRecordOrWhenTheTimeIsOver() throws IOException {
        try (TestSession reader = namenode.session("reader")) {
            await(reader, 0);
            session.append(stream, "now");
            assertThat(answer(reader).runs()).hasSize(1);
            await(reader, 1);
            namenode.advance(Duration.ofSeconds(6));
            assertThat(answer(reader).runs()).isEmpty();
            await(reader, 1);
            session.delete("/s", false);
            namenode.tick();
            assertThatThrownBy(() -> answer(reader)).isInstanceOf(NoSuchNodeException.class);
        }
    }

    private void await(TestSession reader, long offset) throws IOException {
        WireClient wire = reader.wire();
        wire.connection()
                .send(
                        wire.frame(
                                wire.nextId(),
                                new StreamExtents.Request(stream, offset, 0, 64, 1 << 16, 5_000),
                                TestSession.NOTHING));
        // Answered behind it, so the wait has begun.
        session.statistics();
    }

    private static StreamExtents.Reply answer(TestSession reader) throws IOException {
        return StreamExtents.Reply.decode(reader.wire().connection().receive().orThrow().reader());
    }

    @Test
    void aStreamSurvivesRestartAndSnapshotAsItIs() throws IOException {
        try (FakeStorage storage = namenode.storage(4)) {
            for (int i = 0; i < 50; i++) {
                session.append(stream, "r" + i, "");
                session.appendBlocks(stream, 3, blocks(1, 3000 + i), 0, 0);
            }
            session.trim(stream, 17);
            TestNamenode.Memory memory = namenode.memory();
            namenode.restart();
            namenode.assertRemembers(memory, line -> line.startsWith("//"));
            session.wire().reconnect(namenode::connect);
            storage.register(namenode::connect);
            namenode.snapshot();
            namenode.restart();
            namenode.assertRemembers(memory, line -> line.startsWith("//"));
            session.wire().reconnect(namenode::connect);
            storage.register(namenode::connect);
            assertThat(session.append(stream, "next").offset()).isEqualTo(250);
            assertThat(session.lookup("/s").type()).isEqualTo(NodeType.STREAM);
        }
    }
}
