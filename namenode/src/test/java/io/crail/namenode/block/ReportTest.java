// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of blocks when their server reports what was, or was not, expected. */
class ReportTest {
    private static final int MIB = 1 << 20;
    private static final int BLOCK = 64 << 10;

    private final BlockMap map = new BlockMap(new Random(1));
    private final ModelStorage storage = new ModelStorage(1, 0, "rack", "host", 2L * MIB);
    private final ModelStorage.Memory memory = storage.segments.get(0);

    @BeforeEach
    void register() throws CrailException {
        storage.addTo(map);
        storage.reportTo(map);
    }

    private int allocate(long bytes) throws CrailException {
        int[] record = {-1};
        Allocation wish =
                new Allocation(0, PlacementPolicy.RANDOM, "", "", bytes, true, 1, new int[0]);
        map.allocate(wish, (s, g, r, l, n) -> record[0] = r);
        return record[0];
    }

    private int committed() throws CrailException {
        int record = allocate(BLOCK);
        map.commit(1, 0, record, BLOCK, memory.generation(record));
        return record;
    }

    private List<Integer> reconnect() throws ProtocolException {
        List<Integer> lost = new ArrayList<>();
        map.setState(1, ServerState.EXPECTED);
        memory.report(map, 1, (s, g, r, l, n) -> lost.add(r));
        map.setState(1, ServerState.LIVE);
        map.checkConservation();
        return lost;
    }

    private List<BlockId> revokes() {
        List<BlockId> revokes = new ArrayList<>();
        map.revocations()
                .take(
                        1,
                        1000,
                        (s, g, r, length, generation) -> {
                            assertThat(generation).isEqualTo(memory.generation(r));
                            revokes.add(new BlockId(s, g, r));
                            map.freed(s, g, r, length, memory.revoke(r, generation));
                        });
        return revokes;
    }

    @Test
    void aBlockWithAnotherCounterIsLostUntilItsNodeGoesAndThenFenced() throws CrailException {
        int record = committed();
        long known = memory.generation(record);
        memory.counters[record] += 3;

        assertThat(reconnect()).containsExactly(record);
        assertThat(map.isLost(1, 0, record, known)).isTrue();
        assertThat(map.lostBlocks(1)).isEqualTo(1);
        assertThat(map.capacity(0).lost()).isEqualTo(BLOCK);
        assertThat(map.capacity(0).committed()).isZero();

        assertThat(map.unreference(1, 0, record, BLOCK, known)).isTrue();
        assertThat(map.lostBlocks(1)).isZero();
        map.revocations()
                .take(
                        1,
                        10,
                        (s, g, r, l, generation) -> {
                            assertThat(generation).isEqualTo(memory.generation(record));
                            memory.counters[record]++;
                        });
        assertThat(map.freed(1, 0, record, BLOCK, memory.generation(record))).isTrue();
        assertThat(map.capacity(0).free()).isEqualTo(2L * MIB);
        map.checkConservation();
    }

    @Test
    void aLaterReportMayFindALostBlockAgain() throws CrailException {
        int record = committed();
        memory.counters[record]++;
        assertThat(reconnect()).hasSize(1);
        memory.counters[record]--;
        assertThat(reconnect()).isEmpty();
        assertThat(map.isLost(1, 0, record, memory.generation(record))).isFalse();
        assertThat(map.lostBlocks(1)).isZero();
    }

    @Test
    void freeSlotsThatWereGrantedInLostLogRecordsAreFencedBeforeUse() throws CrailException {
        memory.counters[5] = 9;
        memory.counters[256] = 4;
        reconnect();
        assertThatExceptionOfType(BusyException.class).isThrownBy(() -> allocate(4096));

        assertThat(map.revocations().take(1, 1, (s, g, r, l, n) -> {})).isEqualTo(1);
        map.revocations().tellAgain(1);
        List<long[]> told = new ArrayList<>();
        map.revocations().take(1, 10, (s, g, r, l, n) -> told.add(new long[] {r, l, n}));
        assertThat(told).hasSize(2);
        for (long[] order : told) {
            long raised = memory.revoke((int) order[0], order[2]);
            assertThat(map.freed(1, 0, (int) order[0], (int) order[1], raised)).isTrue();
        }
        assertThat(allocate(MIB)).isIn(0, 256);
        assertThat(allocate(MIB)).isIn(0, 256);
        map.checkConservation();
    }

    @Test
    void aBlockWhoseAnswerWasLostIsRevokedAgainAndFreed() throws CrailException {
        int record = committed();
        long old = memory.generation(record);
        map.unreference(1, 0, record, BLOCK, old);
        map.revocations().take(1, 10, (s, g, r, l, n) -> memory.revoke(r, n));
        assertThat(map.revocations().isAny(1)).isFalse();

        assertThat(reconnect()).isEmpty();
        assertThat(map.revocations().isAny(1)).isTrue();
        List<Long> generations = new ArrayList<>();
        map.revocations().take(1, 10, (s, g, r, l, n) -> generations.add(memory.revoke(r, n)));
        assertThat(map.freed(1, 0, record, BLOCK, generations.get(0))).isTrue();
        assertThat(map.freed(1, 0, record, BLOCK, generations.get(0))).isFalse();
        assertThat(map.freed(1, 0, record, BLOCK, old)).isFalse();
    }

    @Test
    void aNewIncarnationLosesBlocksWhichAreNeverFreedAgain() throws CrailException {
        int record = committed();
        long old = memory.generation(record);
        memory.loseEverything(77);
        map.replaceSegment(1, 0, 77, memory.dataBytes);
        reconnect();

        assertThat(map.isLost(1, 0, record, old)).isTrue();
        assertThat(map.lostBlocks(1)).isEqualTo(1);
        assertThat(allocate(MIB)).isNotNegative();
        assertThat(map.unreference(1, 0, record, BLOCK, old)).isFalse();
        assertThat(map.freed(1, 0, record, BLOCK, old + 1)).isFalse();
        assertThat(map.lostBlocks(1)).isZero();
        assertThat(map.revocations().isAny(1)).isFalse();
        map.checkConservation();
    }

    @Test
    void aBlockWhoseCounterIsUsedUpIsRetired() throws CrailException {
        int record = committed();
        map.unreference(1, 0, record, BLOCK, memory.generation(record));
        long last = Generation.of(memory.incarnation, (int) Generation.MAX_COUNTER);
        memory.counters[record] = (int) Generation.MAX_COUNTER;

        assertThat(map.freed(1, 0, record, BLOCK, last)).isTrue();

        assertThat(map.state(1, 0, record)).isEqualTo(BlockState.RETIRED);
        assertThat(map.capacity(0).lost()).isEqualTo(BLOCK);
        assertThat(reconnect()).isEmpty();
        while (map.capacity(0).free() > 0) {
            assertThat(allocate(MIB)).isNotEqualTo(record);
        }
        assertThatExceptionOfType(OutOfSpaceException.class).isThrownBy(() -> allocate(1));
    }

    @Test
    void aDeadServerTakesItsCapacityAlongAndMayComeBack() throws CrailException {
        int record = committed();
        long generation = memory.generation(record);
        map.setState(1, ServerState.DEAD);
        assertThat(map.capacity(0).capacity()).isEqualTo(BLOCK);
        assertThat(map.capacity(0).lost()).isEqualTo(BLOCK);
        assertThat(map.lostBlocks(1)).isEqualTo(1);
        assertThat(map.isLost(1, 0, record, generation)).isTrue();
        assertThat(map.unreference(1, 0, record, BLOCK, generation)).isTrue();
        assertThat(map.capacity(0).capacity()).isZero();

        assertThat(reconnect()).isEmpty();
        assertThat(map.capacity(0).capacity()).isEqualTo(2L * MIB);
        assertThat(revokes()).containsExactly(new BlockId(1, 0, record));
        assertThat(map.capacity(0).free()).isEqualTo(2L * MIB);
    }

    @Test
    void nothingIsCommittableOnAServerThatIsAway() throws CrailException {
        int record = allocate(BLOCK);
        long generation = memory.generation(record);
        assertThat(map.isCommittable(1, 0, record, generation)).isTrue();
        assertThat(map.isCommittable(1, 0, record, generation + 1)).isFalse();
        map.setState(1, ServerState.EXPECTED);
        assertThat(map.isCommittable(1, 0, record, generation)).isFalse();
        assertThat(map.isLost(1, 0, record, generation)).isFalse();
        reconnect();
        assertThat(map.isCommittable(1, 0, record, generation)).isTrue();
    }

    @Test
    void reportsWithGapsOrOfAnotherIncarnationAreRefused() throws CrailException {
        BlockConsumer none = (s, g, r, l, n) -> {};
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> map.reports().slots(1, 0, 5, 0, 512, 1, none));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> map.reports().slots(1, 0, 1000, 0, 513, 1, none));
        map.reports().slots(1, 0, 1000, 0, 100, 1, none);
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> map.reports().slots(1, 0, 1000, 101, 100, 1, none));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> map.reports().complete(1, 0));
        assertThat(map.reports().isReported(1, 0)).isFalse();
        map.reports().slots(1, 0, 1000, 100, 412, 1, none);
        map.reports().complete(1, 0);
        assertThat(map.reports().isReported(1, 0)).isTrue();
    }

    @Test
    void transitionsOutOfOrderAreDefects() throws CrailException {
        int record = allocate(BLOCK);
        long generation = memory.generation(record);
        assertThatIllegalStateException().isThrownBy(() -> map.grant(1, 0, record, BLOCK, 1));
        assertThatIllegalStateException().isThrownBy(() -> map.grant(1, 0, record, 4096, 1));
        assertThatIllegalStateException().isThrownBy(() -> map.grant(1, 0, 512, 4096, 1));
        assertThatIllegalStateException().isThrownBy(() -> map.grant(2, 0, 0, 4096, 1));
        assertThatIllegalStateException()
                .isThrownBy(() -> map.commit(1, 0, record, BLOCK, generation + 1));
        assertThat(map.quarantine(1, 0, record, BLOCK, generation)).isFalse();
        assertThat(map.freed(1, 0, record, BLOCK, generation + 1)).isFalse();
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> map.addSegment(1, 1, 5, 4096));
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> map.addSegment(1, 0, 5, MIB));
        map.checkConservation();
    }
}
