// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.FrameLink.Answer;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.MultiGet;
import io.crail.protocol.message.MultiPut;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many keys in one request. */
final class BatchTest {
    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory, b -> b.inlineMemory(2 << 20).inlineLimit(60_000));
        storage = namenode.storage(32);
        session = namenode.session("tester");
        session.table("/t");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        storage.close();
        namenode.close();
    }

    private List<Integer> statuses(List<MultiPut.Entry> entries, String values) throws IOException {
        return session.putMany("/t", entries, TestSession.bytes(values)).results().stream()
                .map(MultiPut.Result::status)
                .toList();
    }

    private static List<Integer> forms(Answer answer) throws IOException {
        return MultiGet.Reply.decode(answer.reader()).results().stream()
                .map(MultiGet.Result::form)
                .toList();
    }

    @Test
    void eachKeyIsLookedUpByItself() throws IOException {
        session.put("/t", "a", "one");
        session.put("/t", "c", "");
        session.putBlocks("/t", "d", TestRequests.fill(session.grantValue("/t", 5000), 5000));
        Answer answer = session.getMany("/t", List.of("d", "a", "b", "c", "a"));
        assertThat(forms(answer))
                .containsExactly(Get.EXTENTS, Get.INLINE, Get.ABSENT, Get.INLINE, Get.INLINE);
        List<MultiGet.Result> results = MultiGet.Reply.decode(answer.reader()).results();
        assertThat(results.get(0).extents()).hasSize(1);
        assertThat(results.get(0).length()).isEqualTo(5000);
        assertThat(results.get(1).length()).isEqualTo(3);
        assertThat(results.get(1).version()).isEqualTo(results.get(4).version());
        assertThat(new String(answer.payload(), StandardCharsets.UTF_8)).isEqualTo("oneone");
    }

    @Test
    void whatDoesNotFitAnAnswerIsToBeAskedForAgain() throws IOException {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            session.put("/t", "k" + i, "v".repeat(50_000));
            keys.add("k" + i);
        }
        Answer answer = session.getMany("/t", keys);
        List<Integer> forms = forms(answer);
        assertThat(forms.subList(0, 20)).containsOnly(Get.INLINE);
        assertThat(forms.subList(20, 30)).containsOnly(MultiGet.LATER);
        assertThat(answer.payload()).hasSize(20 * 50_000);
    }

    @Test
    void entriesArePutOneAfterTheOther() throws IOException {
        long version = session.put("/t", "old", "0");
        List<Integer> statuses =
                statuses(
                        List.of(
                                TestRequests.entry("new", Conditions.IF_ABSENT, 0, 1),
                                TestRequests.entry("new", Conditions.IF_ABSENT, 0, 1),
                                TestRequests.entry("old", Conditions.IF_VERSION, version, 1),
                                TestRequests.entry("old", Conditions.IF_VERSION, version, 1),
                                TestRequests.entry("", Conditions.NONE, 0, 1),
                                TestRequests.entry("odd", 9, 0, 1),
                                TestRequests.entry("big", Conditions.NONE, 0, 60_001),
                                TestRequests.entry("empty", Conditions.NONE, 0, 0)),
                        "123456" + "x".repeat(60_001));
        assertThat(statuses)
                .containsExactly(
                        0,
                        ErrorCode.CONDITION_FAILED.wire(),
                        0,
                        ErrorCode.CONDITION_FAILED.wire(),
                        ErrorCode.INVALID_NAME.wire(),
                        ErrorCode.INVALID_ARGUMENT.wire(),
                        ErrorCode.INVALID_ARGUMENT.wire(),
                        0);
        assertThat(session.get("/t", "new")).isEqualTo("1");
        assertThat(session.get("/t", "old")).isEqualTo("3");
        assertThat(session.get("/t", "empty")).isEmpty();
        assertThat(session.summary("/t").keyValues()).isEqualTo(3);
    }

    @Test
    void aRefusedConditionTellsTheVersionThatIsThere() throws IOException {
        long version = session.put("/t", "k", "v");
        List<MultiPut.Result> results =
                session.putMany(
                                "/t",
                                List.of(
                                        TestRequests.entry("k", Conditions.IF_ABSENT, 0, 0),
                                        TestRequests.entry("x", Conditions.IF_VERSION, 7, 0)),
                                TestSession.NOTHING)
                        .results();
        int refused = ErrorCode.CONDITION_FAILED.wire();
        assertThat(results)
                .containsExactly(
                        new MultiPut.Result(version, refused), new MultiPut.Result(0, refused));
    }

    @Test
    void versionsOfABatchRiseAndAreNeverUsedAgain() throws IOException {
        long last = session.put("/t", "k", "v");
        for (int round = 0; round < 3; round++) {
            List<MultiPut.Entry> entries = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                entries.add(TestRequests.entry("k" + i % 3, Conditions.NONE, 0, 0));
            }
            for (MultiPut.Result each :
                    session.putMany("/t", entries, TestSession.NOTHING).results()) {
                assertThat(each.version()).isGreaterThan(last);
                last = each.version();
            }
            session.remove("/t", "k1");
            if (round == 1) {
                namenode.snapshot();
            }
            namenode.restart();
            session.wire().reconnect(namenode::connect);
            long next = session.put("/t", "k1", "after");
            assertThat(next).isGreaterThan(last);
            last = next;
        }
    }

    @Test
    void whatFindsNoMemoryIsRefusedAndTheOthersArePut() throws IOException {
        List<MultiPut.Entry> entries = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            entries.add(TestRequests.entry("k" + i, Conditions.NONE, 0, 50_000));
        }
        byte[] values = new byte[20 * 50_000];
        int put = 0;
        for (int round = 0; round < 3; round++) {
            session.table("/t" + round);
            for (MultiPut.Result each : session.putMany("/t" + round, entries, values).results()) {
                assertThat(each.status()).isIn(0, ErrorCode.OUT_OF_SPACE.wire());
                put += each.status() == 0 ? 1 : 0;
            }
        }
        assertThat(put).isBetween(20, 40);
        assertThat(session.summary("/").keyValues()).isEqualTo(put);
        for (int round = 0; round < 3; round++) {
            session.delete("/t" + round, true);
        }
        namenode.settle();
        assertThat(session.statistics().inlineBytes()).isZero();
    }

    @Test
    void requestsThatMakeNoSenseAreRefusedAsAWhole() throws IOException {
        assertThatThrownBy(
                        () ->
                                session.putMany(
                                        "/t",
                                        List.of(TestRequests.entry("k", 0, 0, 5)),
                                        TestSession.bytes("four")))
                .isInstanceOf(ProtocolException.class);
        List<MultiPut.Entry> entries = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i <= MultiPut.MAX_ENTRIES; i++) {
            entries.add(TestRequests.entry("k" + i, 0, 0, 0));
            keys.add("k" + i);
        }
        assertThatThrownBy(() -> session.putMany("/t", entries, TestSession.NOTHING))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> session.getMany("/t", keys))
                .isInstanceOf(InvalidArgumentException.class);
        session.mkdir("/d");
        assertThatThrownBy(() -> session.getMany("/d", List.of("k")))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThat(session.summary("/t").keyValues()).isZero();
    }
}
