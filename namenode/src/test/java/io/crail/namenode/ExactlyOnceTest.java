// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.error.NodeExistsException;
import io.crail.error.ProtocolException;
import io.crail.namenode.FrameLink.Answer;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.Commit;
import io.crail.protocol.message.Concat;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MultiPut;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Remove;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.Truncate;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mutation takes effect once, however often it is sent, and is answered alike every time. */
final class ExactlyOnceTest {
    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;
    private WireClient wire;

    /** A mutation that was answered. */
    private record Done(long id, Message message, byte[] payload, Answer answer) {}

    private final List<Done> done = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = namenode.storage(16);
        session = namenode.session("tester");
        wire = session.wire();
        wire.setAcknowledging(false);
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        storage.close();
        namenode.close();
    }

    private Answer mutate(Message message) throws IOException {
        return mutate(message, TestSession.NOTHING);
    }

    private Answer mutate(Message message, byte[] payload) throws IOException {
        long id = wire.nextId();
        Answer answer = wire.ask(id, message, payload);
        answer.orThrow();
        done.add(new Done(id, message, payload, answer));
        return answer;
    }

    private void mutateInEveryWay() throws IOException {
        byte[] file = TestSession.bytes("/d/f");
        mutate(TestRequests.createRequest("/d", NodeType.DIRECTORY, 0, 0));
        mutate(TestRequests.createRequest("/t", NodeType.TABLE, 0, 0));
        Create.Reply open =
                Create.Reply.decode(
                        mutate(TestRequests.createRequest("/d/f", NodeType.FILE, Create.OPEN, 8192))
                                .reader());
        long node = open.status().id();
        List<BlockReference> more =
                Grant.Reply.decode(
                                mutate(
                                                new Grant.Request(
                                                        node,
                                                        open.handle(),
                                                        TestSession.NOTHING,
                                                        4096,
                                                        true,
                                                        new int[0]))
                                        .reader())
                        .grants();
        mutate(
                new Commit.Request(
                        node,
                        open.handle(),
                        0,
                        Commit.CLOSE,
                        TestRequests.fill(more, 3000),
                        List.of()));
        Open.Reply append =
                Open.Reply.decode(mutate(new Open.Request(file, Open.APPEND, 4096)).reader());
        mutate(new Abandon.Request(node, append.handle(), false));
        Open.Reply read = Open.Reply.decode(mutate(new Open.Request(file, Open.READ, 0)).reader());
        mutate(new SetAttributes.Request(file, SetAttributes.MODE, 0777, 0, 0, 0, -1, "", ""));
        mutate(new Rename.Request(file, TestSession.bytes("/g"), 0));
        mutate(new Delete.Request(TestSession.bytes("/g"), false));
        mutate(new KeepAlive.Request(new long[] {read.handle()}, List.of()));
        mutate(TestRequests.putRequest("/t", "k", 0, 0), TestSession.bytes("value"));
        mutate(TestRequests.putRequest("/t", "k", 0, 0), TestSession.bytes("value2"));
        mutate(new Remove.Request(TestSession.bytes("/t"), TestSession.bytes("k"), 0, 0));
        putAheadOfGrants();
        mutateManyAtOnce();
        joinAndCut();
    }

    /** The second time there is no source, and the file has another version. */
    private void joinAndCut() throws IOException {
        session.file("/joined", 5000);
        session.file("/part", 9000);
        mutate(new Open.Request(TestSession.bytes("/part"), Open.READ, 0));
        Answer joined = mutate(Splicer.concatRequest("/joined", List.of("/part")));
        long version = Concat.Reply.decode(joined.reader()).status().version();
        mutate(new Open.Request(TestSession.bytes("/joined"), Open.READ, 0));
        mutate(new Truncate.Request(TestSession.bytes("/joined"), 6000, 77, version));
    }

    /** The blocks of each put but the first came with the answer to the one before. */
    private void putAheadOfGrants() throws IOException {
        byte[] table = TestSession.bytes("/t");
        Message grant = new Grant.Request(0, 0, table, 9000, true, new int[0]);
        List<BlockReference> blocks = Grant.Reply.decode(mutate(grant).reader()).grants();
        for (int i = 0; i < 3; i++) {
            Answer put =
                    mutate(
                            new Put.Request(
                                    table,
                                    TestSession.bytes("ahead"),
                                    Conditions.NONE,
                                    0,
                                    i == 1 ? 60_000 : -1,
                                    Get.EXTENTS,
                                    TestRequests.fill(blocks, 9000),
                                    List.of(),
                                    9000,
                                    new int[0]));
            blocks = Put.Reply.decode(put.reader()).grants();
            assertThat(blocks).isNotEmpty();
        }
    }

    /** Conditions hold the first time and not the second. */
    private void mutateManyAtOnce() throws IOException {
        Answer made =
                mutate(
                        TestRequests.putRequest("/t", "c", Conditions.IF_ABSENT, 0),
                        TestSession.bytes("first"));
        long version = Put.Reply.decode(made.reader()).version();
        mutate(
                TestRequests.putRequest("/t", "c", Conditions.IF_VERSION, version),
                TestSession.bytes("second"));
        mutate(
                new MultiPut.Request(
                        TestSession.bytes("/t"),
                        List.of(
                                TestRequests.entry("m", Conditions.IF_ABSENT, 0, 2),
                                TestRequests.entry("c", Conditions.IF_VERSION, version, 3),
                                TestRequests.entry("m", Conditions.IF_ABSENT, 0, 1),
                                TestRequests.entry("n", Conditions.NONE, 0, 0))),
                TestSession.bytes("122333"));
        mutate(TestRequests.createRequest("/m", NodeType.MULTIFILE, 0, 0));
        int flags = Create.OPEN | Create.GENERATE_NAME;
        mutate(TestRequests.createRequest("/m", NodeType.FILE, flags, 4096));
        Answer opened = mutate(TestRequests.openMembersRequest("/m", null, 10, 1, 0));
        mutate(new Delete.Request(TestSession.bytes("/m"), true));
        long handle = OpenMembers.Reply.decode(opened.reader()).handle();
        mutate(new KeepAlive.Request(new long[] {handle}, List.of()));
        namenode.settle();
    }

    private void repeatAll() throws IOException {
        for (Done each : done) {
            Answer again = wire.ask(each.id, each.message, each.payload);
            assertThat(again.status()).isEqualTo(each.answer.status());
            if (!(each.message instanceof KeepAlive.Request)) {
                assertThat(again.control()).as(each.toString()).isEqualTo(each.answer.control());
            }
        }
    }

    @Test
    void aRepeatedMutationIsAnsweredAlikeAndDoesNothing() throws IOException {
        mutateInEveryWay();
        TestNamenode.Memory before = namenode.memory();
        repeatAll();
        wire.join();
        repeatAll();
        namenode.assertRemembers(before);
    }

    @Test
    void itIsAnsweredAlikeAfterARestartFromTheLog() throws IOException {
        mutateInEveryWay();
        TestNamenode.Memory before = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(before);
        wire.reconnect(namenode::connect);
        repeatAll();
        namenode.assertRemembers(before);
    }

    @Test
    void itIsAnsweredAlikeAfterARestartFromASnapshot() throws IOException {
        mutateInEveryWay();
        TestNamenode.Memory before = namenode.memory();
        namenode.snapshot();
        namenode.restart();
        namenode.assertRemembers(before);
        wire.reconnect(namenode::connect);
        repeatAll();
        namenode.assertRemembers(before);
    }

    @Test
    void anAcknowledgedDuplicateIsRefused() throws IOException {
        mutateInEveryWay();
        wire.acknowledge(done.get(done.size() - 1).id);
        session.lookup("/");
        assertThatThrownBy(() -> wire.ask(1, done.get(0).message, done.get(0).payload).orThrow())
                .isInstanceOf(ProtocolException.class);
        mutate(TestRequests.createRequest("/last", NodeType.DIRECTORY, 0, 0));
        namenode.restart();
        wire.reconnect(namenode::connect);
        assertThatThrownBy(() -> wire.ask(1, done.get(0).message, done.get(0).payload).orThrow())
                .isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> session.mkdir("/last")).isInstanceOf(NodeExistsException.class);
    }

    @Test
    void anIdBelongsToOneTypeOfRequest() throws IOException {
        long id = wire.nextId();
        wire.ask(
                        id,
                        TestRequests.createRequest("/d", NodeType.DIRECTORY, 0, 0),
                        TestSession.NOTHING)
                .orThrow();
        Message delete = new Delete.Request(TestSession.bytes("/d"), false);
        assertThatThrownBy(() -> wire.ask(id, delete, TestSession.NOTHING).orThrow())
                .isInstanceOf(ProtocolException.class);
        assertThat(session.list("/")).containsExactly("d");
    }

    @Test
    void aRefusedMutationMayBeTriedAgainUnderItsId() throws IOException {
        session.mkdir("/d");
        long id = wire.nextId();
        Message create = TestRequests.createRequest("/d", NodeType.DIRECTORY, 0, 0);
        assertThatThrownBy(() -> wire.ask(id, create, TestSession.NOTHING).orThrow())
                .isInstanceOf(NodeExistsException.class);
        session.delete("/d", false);
        wire.ask(id, create, TestSession.NOTHING).orThrow();
    }

    @Test
    void anUnacknowledgedMutationTooManyIsBusyUntilOthersAreAcknowledged() throws IOException {
        session.table("/t");
        for (int i = 1; i < ProtocolLimits.MAX_UNACKNOWLEDGED; i++) {
            session.put("/t", "k", "v" + i);
        }
        assertThatThrownBy(() -> session.put("/t", "k", "too much"))
                .isInstanceOf(BusyException.class);
        namenode.restart();
        wire.reconnect(namenode::connect);
        assertThatThrownBy(() -> session.put("/t", "k", "too much"))
                .isInstanceOf(BusyException.class);
        wire.ask(2, TestRequests.putRequest("/t", "k", 0, 0), TestSession.bytes("v1")).orThrow();
        wire.acknowledge(2);
        Answer put = wire.ask(TestRequests.putRequest("/t", "k", 0, 0), TestSession.bytes("fits"));
        assertThat(Put.Reply.decode(put.orThrow().reader()).version()).isPositive();
        assertThat(session.get("/t", "k")).isEqualTo("fits");
    }

    @Test
    void theMemoryForAnswersIsLimitedButEverySessionMayKeepAFew() throws IOException {
        namenode.close();
        namenode = TestNamenode.start(directory.resolve("limited"), b -> b.maxResultBytes(10_000));
        try (TestSession greedy = namenode.session("greedy");
                TestSession modest = namenode.session("modest")) {
            greedy.wire().setAcknowledging(false);
            modest.wire().setAcknowledging(false);
            greedy.table("/t");
            assertThatThrownBy(() -> putMany(greedy, 500)).isInstanceOf(BusyException.class);
            putMany(modest, 8);
            assertThatThrownBy(() -> modest.put("/t", "k", "v")).isInstanceOf(BusyException.class);
            greedy.wire().acknowledge(greedy.wire().lastId() - 1);
            putMany(greedy, 50);
            modest.put("/t", "k", "v");
            greedy.endSession();
            long left = namenode.ask(engine -> engine.state().sessions().resultBytes());
            assertThat(left).isLessThan(2000);
        }
    }

    private static void putMany(TestSession session, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            session.put("/t", "k" + i, "v");
        }
    }
}
