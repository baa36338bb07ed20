// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ReadOnlyException;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.log.Durability;
import io.crail.namenode.log.FaultyFiles;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Message;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the log cannot be written, nothing is acknowledged that it does not hold. */
final class LogFailureTest {
    @TempDir private Path directory;
    private final FaultyFiles files = new FaultyFiles();

    private static Message mkdir(String path) {
        return TestRequests.createRequest(path, NodeType.DIRECTORY, 0, 0);
    }

    private TestNamenode start(Durability durability) throws IOException {
        return TestNamenode.start(directory, b -> b.durability(durability), files);
    }

    /** Mutations fail with path and reason, reads go on. */
    private void checkReadOnly(TestSession session, String reason, String... names)
            throws IOException {
        assertThatThrownBy(() -> session.mkdir("/late"))
                .isInstanceOf(ReadOnlyException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining(reason);
        assertThat(session.list("/")).containsExactly(names);
        assertThat(session.statistics().readOnly()).isTrue();
        session.wire().call(new KeepAlive.Request(new long[0], List.of()), KeepAlive.Reply::decode);
    }

    private void checkAfterRestart(TestNamenode namenode, TestSession session, String... names)
            throws IOException {
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        assertThat(session.list("/")).containsExactly(names);
        session.mkdir("/zz");
    }

    @Test
    void aFullDiskMakesTheNamenodeReadOnly() throws IOException {
        try (TestNamenode namenode = start(Durability.PROCESS);
                TestSession session = namenode.session("tester")) {
            session.mkdir("/a");
            TestNamenode.Memory before = namenode.memory();
            files.space.set(50);
            assertThatThrownBy(() -> session.mkdir("/b")).isInstanceOf(IOException.class);
            session.wire().reconnect(namenode::connect);
            namenode.assertRemembers(before);
            checkReadOnly(session, "No space left on device", "a");
            files.space.set(Long.MAX_VALUE);
            assertThatThrownBy(() -> session.mkdir("/c")).isInstanceOf(ReadOnlyException.class);
            checkAfterRestart(namenode, session, "a");
        }
    }

    @Test
    void shortWritesAreNoFailures() throws IOException {
        files.longestWrite = 7;
        try (TestNamenode namenode = start(Durability.PROCESS);
                TestSession session = namenode.session("tester")) {
            session.mkdir("/a");
            TestNamenode.Memory before = namenode.memory();
            namenode.restart();
            namenode.assertRemembers(before);
        }
    }

    @Test
    void whatCannotBeCutOffTheLogIsStillAnsweredAsTheLogSays() throws IOException {
        try (LocalNamenode namenode = LocalNamenode.start(directory, files);
                TestSession session = namenode.session("tester")) {
            WireClient wire = session.wire();
            wire.setAcknowledging(false);
            session.mkdir("/a");
            namenode.beginBatch();
            long first = wire.nextId();
            for (int i = 0; i < 3; i++) {
                wire.connection()
                        .send(wire.frame(first + i, mkdir("/b" + i), FrameLink.NO_PAYLOAD));
            }
            files.failTruncate = true;
            files.space.set(300);
            namenode.endOneBatch();
            assertThatThrownBy(() -> wire.connection().receive()).isInstanceOf(IOException.class);
            wire.reconnect(namenode::connect);
            List<String> names = session.list("/");
            assertThat(names).startsWith("a", "b0").hasSizeLessThan(4);
            for (int i = 0; i < 3; i++) {
                Answer again = wire.ask(first + i, mkdir("/b" + i), FrameLink.NO_PAYLOAD);
                assertThat(again.status() == 0).isEqualTo(names.contains("b" + i));
            }
            files.space.set(Long.MAX_VALUE);
            files.failTruncate = false;
            TestNamenode.Memory memory = namenode.memory();
            Path copy = directory.resolveSibling(directory.getFileName() + "-copy");
            TestNamenode.copy(directory, copy);
            try (LocalNamenode successor = LocalNamenode.start(copy)) {
                successor.assertRemembers(memory);
            }
        }
    }

    @Test
    void aBatchIsAcknowledgedWhollyOrNotAtAll() throws IOException {
        try (LocalNamenode namenode = LocalNamenode.start(directory, files);
                TestSession one = namenode.session("one");
                TestSession two = namenode.session("two")) {
            one.mkdir("/a");
            TestNamenode.Memory before = namenode.memory();
            namenode.beginBatch();
            for (TestSession each : List.of(one, two)) {
                for (int i = 0; i < 10; i++) {
                    String path = "/" + each.wire().session() + i;
                    each.wire()
                            .connection()
                            .send(
                                    each.wire()
                                            .frame(
                                                    each.wire().nextId(),
                                                    mkdir(path),
                                                    FrameLink.NO_PAYLOAD));
                }
            }
            files.space.set(1500);
            namenode.endOneBatch();
            for (TestSession each : List.of(one, two)) {
                assertThatThrownBy(() -> each.wire().connection().receive())
                        .isInstanceOf(IOException.class);
            }
            namenode.assertRemembers(before);
            one.wire().reconnect(namenode::connect);
            checkReadOnly(one, "No space left on device", "a");
        }
    }

    @Test
    void aFailedSyncWithdrawsTheAnswersThatWaitForIt() throws IOException {
        try (TestNamenode namenode = start(Durability.SYNC);
                TestSession session = namenode.session("tester")) {
            session.mkdir("/a");
            files.goodSyncs.set(0);
            assertThatThrownBy(() -> session.mkdir("/b")).isInstanceOf(IOException.class);
            session.wire().reconnect(namenode::connect);
            // The record of /b is in the file: a restart might see it, so lookups do.
            checkReadOnly(session, "Input/output error", "a", "b");
            files.goodSyncs.set(Integer.MAX_VALUE);
            checkAfterRestart(namenode, session, "a", "b");
        }
    }

    @Test
    void aLogFileThatCannotBeMadeForASnapshotStopsMutations() throws IOException {
        try (TestNamenode namenode = start(Durability.PROCESS);
                TestSession session = namenode.session("tester")) {
            session.mkdir("/a");
            files.goodCreates.set(0);
            namenode.run(engine -> engine.requestSnapshot());
            namenode.tick();
            assertThatThrownBy(() -> session.mkdir("/b")).isInstanceOf(ReadOnlyException.class);
            checkReadOnly(session, "No space left on device", "a");
            files.goodCreates.set(Integer.MAX_VALUE);
            checkAfterRestart(namenode, session, "a");
        }
    }

    @Test
    void aFailureDuringASnapshotLeavesNoHalfSnapshot() throws IOException {
        try (LocalNamenode namenode = LocalNamenode.start(directory, files);
                TestSession session = namenode.session("tester")) {
            for (int i = 0; i < 50; i++) {
                session.mkdir("/d" + i);
            }
            namenode.engine().requestSnapshot();
            namenode.tick();
            namenode.tick();
            files.space.set(10);
            assertThatThrownBy(() -> session.mkdir("/x")).isInstanceOf(IOException.class);
            session.wire().reconnect(namenode::connect);
            files.space.set(Long.MAX_VALUE);
            for (int i = 0; i < 200; i++) {
                namenode.tick();
            }
            assertThat(namenode.engine().snapshotSequence()).isZero();
            assertThat(session.list("/")).hasSize(50);
        }
    }

    @Test
    void aSnapshotThatCannotBeWrittenCostsNothing() throws IOException {
        try (TestNamenode namenode = start(Durability.PROCESS);
                TestSession session = namenode.session("tester")) {
            session.mkdir("/a");
            files.failRename = true;
            namenode.snapshot();
            assertThat(session.statistics().snapshotPosition()).isZero();
            session.mkdir("/b");
            files.failRename = false;
            namenode.snapshot();
            assertThat(session.statistics().snapshotPosition()).isPositive();
            checkAfterRestart(namenode, session, "a", "b");
        }
    }

    @Test
    void storageServersAndSessionsLiveOnWhileTheNamenodeIsReadOnly() throws IOException {
        try (TestNamenode namenode = start(Durability.PROCESS);
                FakeStorage storage = namenode.storage(4);
                TestSession session = namenode.session("tester")) {
            session.file("/f", 5000);
            files.space.set(0);
            assertThatThrownBy(() -> session.mkdir("/b")).isInstanceOf(IOException.class);
            session.wire().reconnect(namenode::connect);
            storage.register(namenode::connect);
            storage.heartbeat();
            assertThat(storage.poll()).isEmpty();
            namenode.advance(Duration.ofMinutes(5));
            assertThat(session.lookup("/f").length()).isEqualTo(5000);
            assertThatThrownBy(() -> session.delete("/f", false))
                    .isInstanceOf(ReadOnlyException.class);
            assertThatThrownBy(session::endSession).isInstanceOf(ReadOnlyException.class);
            files.space.set(Long.MAX_VALUE);
        }
    }

    @Test
    void theFailingDiskIsNotWrittenAnyMore() throws IOException {
        try (LocalNamenode namenode = LocalNamenode.start(directory, files);
                TestSession session = namenode.session("tester")) {
            session.mkdir("/a");
            files.space.set(20);
            assertThatThrownBy(() -> session.mkdir("/b")).isInstanceOf(IOException.class);
            int writes = files.writes.get();
            session.wire().reconnect(namenode::connect);
            files.space.set(Long.MAX_VALUE);
            assertThatThrownBy(() -> session.mkdir("/c")).isInstanceOf(ReadOnlyException.class);
            namenode.engine().requestSnapshot();
            namenode.tick();
            assertThat(files.writes.get()).isEqualTo(writes);
            assertThat(Files.exists(directory)).isTrue();
        }
    }
}
