// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ConditionFailedException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.WrongNodeTypeException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Scan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and values. */
final class TableTest {
    @TempDir private Path directory;
    private TestNamenode namenode;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory, b -> b.inlineMemory(2 << 20));
        session = namenode.session("tester");
        session.table("/t");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        namenode.close();
    }

    @Test
    void aValueIsWhatWasPutLast() throws IOException {
        session.put("/t", "k", "one");
        session.put("/t", "k", "another");
        assertThat(session.get("/t", "k")).isEqualTo("another");
        assertThat(session.summary("/t").keyValues()).isEqualTo(1);
        assertThatThrownBy(() -> session.get("/t", "x")).isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(() -> session.get("/u", "k")).isInstanceOf(NoSuchNodeException.class);
        session.touch("/f");
        assertThatThrownBy(() -> session.get("/f", "k")).isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.put("/f", "k", "v"))
                .isInstanceOf(WrongNodeTypeException.class);
    }

    @Test
    void aValueMayBeEmpty() throws IOException {
        session.put("/t", "k", "");
        assertThat(session.get("/t", "k")).isEmpty();
        assertThat(session.value("/t", "k").form()).isEqualTo(Get.INLINE);
        assertThat(session.value("/t", "k").length()).isZero();
        session.put("/t", "k", "full");
        session.put("/t", "k", "");
        assertThat(session.statistics().inlineBytes()).isZero();
    }

    @Test
    void aKeyHas1To1024BytesOfAnyValue() throws IOException {
        String longest = "k".repeat(1024);
        session.put("/t", longest, "v");
        assertThat(session.get("/t", longest)).isEqualTo("v");
        session.put("/t", "/.\u0000..", "odd");
        assertThat(session.get("/t", "/.\u0000..")).isEqualTo("odd");
        assertThatThrownBy(() -> session.put("/t", "", "v"))
                .isInstanceOf(InvalidNameException.class);
        byte[] raw = {(byte) 0xFF, (byte) 0x80, 0};
        Put.Request put =
                new Put.Request(
                        TestSession.bytes("/t"),
                        raw,
                        Conditions.NONE,
                        0,
                        -1,
                        Get.INLINE,
                        List.of(),
                        List.of());
        session.wire().call(put, TestSession.bytes("raw"), Put.Reply::decode);
        Scan.Reply page = session.scan("/t", TestSession.NOTHING, 10, Scan.VALUES);
        assertThat(page.entries().get(page.entries().size() - 1).key()).isEqualTo(raw);
    }

    @Test
    void conditionsHoldOrNothingChanges() throws IOException {
        long first = session.put("/t", "k", "1", Conditions.IF_ABSENT, 0);
        assertThatThrownBy(() -> session.put("/t", "k", "2", Conditions.IF_ABSENT, 0))
                .isInstanceOf(ConditionFailedException.class);
        long second = session.put("/t", "k", "2", Conditions.IF_VERSION, first);
        assertThatThrownBy(() -> session.put("/t", "k", "3", Conditions.IF_VERSION, first))
                .isInstanceOf(ConditionFailedException.class);
        assertThatThrownBy(() -> session.put("/t", "x", "3", Conditions.IF_VERSION, first))
                .isInstanceOf(ConditionFailedException.class);
        assertThatThrownBy(() -> session.remove("/t", "k", Conditions.IF_VERSION, first))
                .isInstanceOf(ConditionFailedException.class);
        assertThatThrownBy(() -> session.remove("/t", "k", Conditions.IF_ABSENT, 0))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> session.put("/t", "k", "3", 9, 0))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(session.get("/t", "k")).isEqualTo("2");
        assertThat(session.remove("/t", "k", Conditions.IF_VERSION, second)).isTrue();
        assertThat(session.remove("/t", "k")).isFalse();
        session.put("/t", "k", "4", Conditions.IF_ABSENT, 0);
    }

    @Test
    void versionsNeverRepeatWhateverIsRemovedOrRestarted() throws IOException {
        Set<Long> versions = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            assertThat(versions.add(session.put("/t", "k", "v" + i))).isTrue();
            session.remove("/t", "k");
        }
        namenode.snapshot();
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        assertThat(versions.add(session.put("/t", "k", "again"))).isTrue();
        session.delete("/t", true);
        session.table("/t");
        assertThat(versions.add(session.put("/t", "k", "again"))).isTrue();
    }

    @Test
    void inlineValuesAreLimitedInSizeAndInSum() throws IOException {
        session.put("/t", "k", "x".repeat(1024));
        assertThatThrownBy(() -> session.put("/t", "k", "x".repeat(1025)))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> fill("y".repeat(1024))).isInstanceOf(OutOfSpaceException.class);
        assertThat(session.get("/t", "k")).isEqualTo("x".repeat(1024));
        assertThatThrownBy(() -> session.put("/t", "new", "z".repeat(1024)))
                .isInstanceOf(OutOfSpaceException.class);
        assertThatThrownBy(() -> session.get("/t", "new")).isInstanceOf(NoSuchNodeException.class);
        session.delete("/t", true);
        namenode.settle();
        assertThat(session.statistics().inlineBytes()).isZero();
        session.table("/t");
        session.put("/t", "k", "x".repeat(1024));
    }

    private void fill(String value) throws IOException {
        for (int i = 0; i < 3000; i++) {
            session.put("/t", "fill" + i, value);
        }
    }

    @Test
    void aFullMemoryIsRecoveredWholly() throws IOException {
        assertThatThrownBy(() -> fill("y".repeat(900))).isInstanceOf(OutOfSpaceException.class);
        for (int i = 0; i < 1000; i += 3) {
            session.put("/t", "fill" + i, "");
        }
        assertThatThrownBy(() -> fill("y".repeat(1000))).isInstanceOf(OutOfSpaceException.class);
        TestNamenode.Memory before = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(before);
        session.wire().reconnect(namenode::connect);
        namenode.snapshot();
        namenode.restart();
        namenode.assertRemembers(before);
    }

    @Test
    void aScanShowsEveryKeyOnceInOrderOfBytesWithItsValue() throws IOException {
        for (int i = 0; i < 250; i++) {
            session.put("/t", "key%03d".formatted(i), "value" + i);
        }
        List<String> seen = new ArrayList<>();
        byte[] cursor = TestSession.NOTHING;
        boolean more = true;
        while (more) {
            Scan.Reply page = session.scan("/t", cursor, 40, Scan.VALUES);
            for (Scan.Entry entry : page.entries()) {
                seen.add(
                        new String(entry.key(), StandardCharsets.UTF_8)
                                + new String(entry.value(), StandardCharsets.UTF_8));
                assertThat(entry.inline()).isTrue();
                cursor = entry.key();
            }
            more = page.more();
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            expected.add("key%03dvalue%d".formatted(i, i));
        }
        assertThat(seen).isEqualTo(expected);
        assertThat(session.scan("/t", TestSession.NOTHING, 1, 0).entries().get(0).value())
                .isEmpty();
    }

    @Test
    void aLargeValueLiesInBlocksThatItsSuccessorFrees() throws IOException {
        try (FakeStorage storage = namenode.storage(4)) {
            List<BlockReference> blocks = session.grantValue("/t", 100_000);
            Put.Reply put = session.putBlocks("/t", "k", TestRequests.fill(blocks, 100_000));
            Get.Reply value = session.value("/t", "k");
            assertThat(value.form()).isEqualTo(Get.EXTENTS);
            assertThat(value.length()).isEqualTo(100_000);
            assertThat(value.version()).isEqualTo(put.version());
            assertThat(value.extents().get(0).block().rights()).isEqualTo(BlockReference.READ);
            assertThat(session.extents(put.node(), 0, 64).extents()).isEqualTo(value.extents());
            session.put("/t", "k", "small");
            assertThat(session.get("/t", "k")).isEqualTo("small");
            assertThat(storage.fenceAll()).isEqualTo(blocks.size());
            assertThatThrownBy(() -> session.extents(put.node(), 0, 64))
                    .isInstanceOf(NoSuchNodeException.class);
        }
    }

    @Test
    void aValueTakesOnlyBlocksGrantedToItsSessionOnce() throws IOException {
        try (FakeStorage storage = namenode.storage(4);
                TestSession other = namenode.session("other")) {
            List<BlockReference> mine = session.grantValue("/t", 8192);
            List<BlockReference> foreign = other.grantValue("/t", 8192);
            assertThatThrownBy(() -> session.putBlocks("/t", "k", TestRequests.fill(foreign, 8192)))
                    .isInstanceOf(InvalidArgumentException.class);
            assertThatThrownBy(() -> session.putBlocks("/t", "k", List.of()))
                    .isInstanceOf(InvalidArgumentException.class);
            CommittedExtent once = TestRequests.extent(mine.get(0), 4096);
            List<CommittedExtent> twice = List.of(once, once);
            assertThatThrownBy(() -> session.putBlocks("/t", "k", twice))
                    .isInstanceOf(InvalidArgumentException.class);
            List<BlockReference> many = new ArrayList<>(); // compared, then looked up
            for (int i = 0; i < 12; i++) {
                many.addAll(session.grantValue("/t", 4096));
                List<CommittedExtent> again = new ArrayList<>();
                many.forEach(block -> again.add(TestRequests.extent(block, 4096)));
                again.add(again.get(i / 2));
                assertThatThrownBy(() -> session.putBlocks("/t", "k", again))
                        .isInstanceOf(InvalidArgumentException.class)
                        .hasMessageContaining("named twice");
            }
            session.putBlocks("/t", "m", TestRequests.fill(many, 12 * 4096));
            session.putBlocks("/t", "k", TestRequests.fill(mine, 8192));
            assertThatThrownBy(() -> session.putBlocks("/t", "l", TestRequests.fill(mine, 8192)))
                    .isInstanceOf(InvalidArgumentException.class);
            assertThat(storage.fenceAll()).isZero();
        }
    }
}
