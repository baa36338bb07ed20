// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.error.ConditionFailedException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.SessionClose;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that come with the answer to a put, for the next one. */
final class GrantAheadTest {
    private static final int MIB = 1 << 20;

    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = storage(1);
        session = namenode.session("tester");
        session.table("/t");
    }

    private FakeStorage storage(int number) throws IOException {
        FakeStorage made = new FakeStorage(new UUID(number, number), 0, "host" + number);
        made.format(0, 8 * MIB, number);
        made.register(namenode::connect);
        return made;
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        storage.close();
        namenode.close();
    }

    private List<BlockReference> put(
            List<BlockReference> blocks, int length, long next, int... excluded)
            throws IOException {
        return put(Conditions.NONE, blocks, length, next, excluded);
    }

    private List<BlockReference> put(
            int condition, List<BlockReference> blocks, int length, long next, int... excluded)
            throws IOException {
        return session.wire()
                .call(
                        new Put.Request(
                                TestSession.bytes("/t"),
                                TestSession.bytes("k"),
                                condition,
                                0,
                                -1,
                                Get.EXTENTS,
                                TestRequests.fill(blocks, length),
                                List.of(),
                                next,
                                excluded),
                        Put.Reply::decode)
                .grants();
    }

    private static long bytes(List<BlockReference> blocks) {
        return blocks.stream().mapToLong(BlockReference::length).sum();
    }

    private long granted() throws IOException {
        return session.statistics().classes().stream()
                .mapToLong(Statistics.Capacity::granted)
                .sum();
    }

    @Test
    void putAfterPutNeedsNoGrant() throws IOException {
        List<BlockReference> blocks = session.grantValue("/t", 100_000);
        for (int i = 0; i < 5; i++) {
            blocks = put(blocks, 100_000, 100_000);
            assertThat(bytes(blocks)).isBetween(100_000L, 112_500L);
            assertThat(granted()).isEqualTo(bytes(blocks));
        }
    }

    @Test
    void whoDoesNotAskGetsNothing() throws IOException {
        assertThat(put(session.grantValue("/t", 8192), 8192, 0)).isEmpty();
        assertThat(granted()).isZero();
    }

    @Test
    void aPutThatIsRefusedGrantsNothing() throws IOException {
        session.put("/t", "k", "there");
        List<BlockReference> blocks = session.grantValue("/t", 8192);
        assertThatThrownBy(() -> put(Conditions.IF_ABSENT, blocks, 8192, 8192))
                .isInstanceOf(ConditionFailedException.class);
        assertThatThrownBy(() -> put(blocks, 8192, 8192, new int[257]))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(granted()).isEqualTo(8192);
    }

    @Test
    void whatIsGrantedAheadIsLoggedAndKeptByASnapshot() throws IOException {
        List<BlockReference> blocks = put(session.grantValue("/t", 8192), 8192, 100_000);
        TestNamenode.Memory before = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(before);
        namenode.snapshot();
        namenode.restart();
        namenode.assertRemembers(before);
        session.wire().reconnect(namenode::connect);
        storage.close();
        storage.register(namenode::connect);
        put(blocks, 100_000, 0);
        assertThat(granted()).isZero();
    }

    @Test
    void itGoesBackByAKeepAliveAndWithItsSession() throws IOException {
        List<BlockReference> blocks = put(session.grantValue("/t", 8192), 8192, 65_536);
        session.wire()
                .call(
                        new KeepAlive.Request(
                                new long[0], blocks.stream().map(BlockReference::id).toList()),
                        KeepAlive.Reply::decode);
        assertThat(granted()).isZero();
        assertThatThrownBy(() -> put(blocks, 65_536, 0))
                .isInstanceOf(InvalidArgumentException.class);
        try (TestSession other = namenode.session("killed")) {
            TestSession mine = session;
            session = other;
            put(other.grantValue("/t", 8192), 8192, 65_536);
            session = mine;
            assertThat(granted()).isEqualTo(65_536);
            other.wire().call(new SessionClose.Request(), reader -> new SessionClose.Reply());
        }
        assertThat(granted()).isZero();
    }

    @Test
    void aQuotaThatLeavesNoRoomForMoreDoesNotRefuseThePut() throws IOException {
        List<BlockReference> blocks = session.grantValue("/t", 65_536);
        session.setQuota("/t", -1, List.of(new SetQuota.ClassLimit(SetQuota.ALL_CLASSES, 100_000)));
        assertThat(bytes(put(blocks, 65_536, 65_536))).isLessThan(65_536);
        assertThat(session.value("/t", "k").length()).isEqualTo(65_536);
    }

    @Test
    void nothingIsLentWhenAnEighthIsFree() throws IOException {
        List<BlockReference> blocks = session.grantValue("/t", 65_536);
        List<BlockReference> others = session.grantValue("/t", 7 * MIB);
        assertThat(bytes(others)).isEqualTo(7 * MIB);
        assertThat(put(blocks, 65_536, 4096)).isEmpty();
        assertThat(session.grantValue("/t", 4096)).hasSize(1);
    }

    @Test
    void theyLieNeitherOnAnExcludedServerNorOnOneThatIsDrained() throws IOException {
        try (FakeStorage second = storage(2)) {
            int server = session.grantValue("/t", 4096).get(0).server();
            List<BlockReference> blocks = session.grantValue("/t", 8192);
            for (int i = 0; i < 4; i++) {
                blocks = put(blocks, 4096, 8192, server);
                assertThat(blocks).hasSize(1).noneMatch(block -> block.server() == server);
            }
            int other = blocks.get(0).server();
            session.wire().call(new Drain.Request(other, true), Drain.Reply::decode);
            for (int i = 0; i < 4; i++) {
                blocks = put(blocks, 4096, 8192);
                assertThat(blocks).hasSize(1).noneMatch(block -> block.server() == other);
            }
            assertThat(second.fenceAll()).isPositive();
        }
    }

    @Test
    void aSessionWithVeryManyGrantsGetsNoMore() throws IOException {
        try (FakeStorage large = new FakeStorage(new UUID(3, 3), 0, "large")) {
            large.format(0, 64 * MIB, 3);
            large.register(namenode::connect);
            List<BlockReference> blocks = session.grantValue("/t", 4096);
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 5000; i++) {
                                    session.grantValue("/t", 4096);
                                }
                            })
                    .isInstanceOfAny(BusyException.class, OutOfSpaceException.class);
            assertThat(put(blocks, 4096, 4096)).isEmpty();
        }
    }
}
