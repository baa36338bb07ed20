// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records and units written in part: nothing that was written before is undone. */
class WriteChainsTest {
    private static final int CHUNKS = ManualUnits.BLOCK.length() / 4096;

    private final ManualUnits units = new ManualUnits();
    private final RecordWriter record = new RecordWriter(ManualUnits.BLOCK, false);
    private final EdgeWriter edges = new EdgeWriter(ManualUnits.BLOCK);
    private final List<String> ended = new ArrayList<>();

    private Consumer<@Nullable CrailException> telling(String name) {
        return cause -> ended.add(name + (cause == null ? "" : " failed"));
    }

    private long recordAt() {
        return units.layout().recordOffset(0);
    }

    private byte[] bytes(long position) {
        byte[] bytes = new byte[4096];
        units.stored(position).get(0, bytes);
        return bytes;
    }

    private int stored(int chunk) {
        return units.stored(recordAt()).getInt(4 * chunk);
    }

    @Test
    void aRecordKeepsWhatWasStoredBefore() {
        units.stored(recordAt()).putInt(0, 11).putInt(4, 12).putInt(8, 13);
        record.put(units, 1, new int[] {22}, telling("a"));
        units.endAll();
        assertThat(ended).containsExactly("a");
        assertThat(List.of(stored(0), stored(1), stored(2))).containsExactly(11, 22, 13);
    }

    @Test
    void aRecordIsReadOnce() {
        record.put(units, 0, new int[] {1}, telling("a"));
        units.endAll();
        record.put(units, 1, new int[] {2}, telling("b"));
        assertThat(units.underWay).hasSize(1);
        assertThat(units.underWay.get(0).isWrite()).isTrue();
        units.endAll();
        assertThat(ended).containsExactly("a", "b");
        assertThat(stored(0)).isOne();
        assertThat(stored(1)).isEqualTo(2);
    }

    @Test
    void aRecordIsNotReadIfAllOfTheBlockIsWritten() {
        units.stored(recordAt()).putInt(0, 11).putInt(4 * (CHUNKS - 1), 12);
        record.put(units, 0, IntStream.rangeClosed(1, CHUNKS).toArray(), telling("a"));
        assertThat(units.underWay).hasSize(1);
        assertThat(units.underWay.get(0).isWrite()).isTrue();
        record.put(units, 7, new int[] {-1}, telling("b"));
        units.endAll();
        assertThat(ended).containsExactly("a", "b");
        assertThat(units.written).hasSize(2);
        assertThat(List.of(stored(0), stored(7), stored(CHUNKS - 1)))
                .containsExactly(1, -1, CHUNKS);
    }

    @Test
    void aRecordIsReadIfOneChunkOfTheBlockIsNotWritten() {
        units.stored(recordAt()).putInt(0, 11);
        record.put(units, 1, IntStream.range(1, CHUNKS).toArray(), telling("a"));
        assertThat(units.underWay.get(0).isWrite()).isFalse();
        units.endAll();
        assertThat(List.of(stored(0), stored(1))).containsExactly(11, 1);
    }

    @Test
    void whoComesDuringAWriteIsServedTogetherByTheNextOne() {
        record.put(units, 0, new int[] {1}, telling("a"));
        units.endFirst(); // The load; the write with the first sum is under way.
        for (int chunk = 1; chunk < 6; chunk++) {
            record.put(units, chunk, new int[] {chunk + 1}, telling("x" + chunk));
        }
        assertThat(units.underWay).hasSize(1);
        units.endFirst();
        assertThat(ended).containsExactly("a");
        assertThat(units.underWay).hasSize(1);
        units.endFirst();
        assertThat(ended).hasSize(6);
        assertThat(units.written).hasSize(2);
        assertThat(stored(5)).isEqualTo(6);
        assertThat(record.isBusy()).isFalse();
    }

    @Test
    void aWriteThatFailedFailsThoseItServedAndNobodyElse() {
        record.put(units, 0, new int[] {1}, telling("a"));
        units.endFirst();
        record.put(units, 1, new int[] {2}, telling("b"));
        units.failFirst();
        assertThat(ended).containsExactly("a failed");
        units.endAll();
        assertThat(ended).containsExactly("a failed", "b");
        // What was to be stored first is still known, and goes along.
        assertThat(stored(0)).isOne();
    }

    @Test
    void aLoadThatFailedIsTriedAgainForTheNext() {
        record.put(units, 0, new int[] {1}, telling("a"));
        units.failFirst();
        assertThat(ended).containsExactly("a failed");
        record.put(units, 1, new int[] {2}, telling("b"));
        assertThat(units.underWay.get(0).isWrite()).isFalse();
        units.endAll();
        assertThat(ended).containsExactly("a failed", "b");
    }

    @Test
    void ofAFreshBlockNothingThatIsStoredCounts() {
        units.stored(recordAt()).putInt(0, 11).putInt(4, 12).putInt(8, 13);
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        fresh.put(units, 1, new int[] {22}, telling("a"));
        assertThat(units.underWay).singleElement().matches(ManualUnits.Call::isWrite);
        units.endAll();
        assertThat(List.of(stored(0), stored(1), stored(2))).containsExactly(0, 22, 0);
    }

    @Test
    void onlyTheFirstWriteOfABlockMakesItFresh() {
        OpenBlocks open = new OpenBlocks(8);
        OpenBlock known = open.use(block(0), false);
        OpenBlock again = open.use(block(0), true);
        assertThat(again).as("what came before it is known").isSameAs(known);
        again.record().put(units, 1, new int[] {22}, telling("a"));
        assertThat(units.underWay).singleElement().matches(call -> !call.isWrite());
    }

    private static RecordWriter.Carried carry(RecordWriter record, int first, int... values) {
        RecordWriter.Carried carried =
                Objects.requireNonNull(
                        record.carry(7, first, values.length, () -> values), "busy, or not loaded");
        assertThat(carried.firstBlock()).isEqualTo(7);
        return carried;
    }

    private static int sum(ByteBuffer memory, int at, int chunk) {
        return LittleEndian.i32(memory, at + 4 * chunk);
    }

    @Test
    void aRecordGoesAlongWithTheDataWhereAllOfItIsKnown() {
        assertThat(record.carry(7, 0, 1, () -> new int[] {1})).as("not loaded").isNull();
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 1, 22);
        assertThat(fresh.isBusy()).isTrue();
        ByteBuffer memory = ByteBuffer.allocateDirect(3 * 4096);
        carried.put(memory, 8192);
        assertThat(List.of(sum(memory, 8192, 0), sum(memory, 8192, 1))).containsExactly(0, 22);
        carried.ended(units, null, telling("a"));
        assertThat(ended).containsExactly("a");
        assertThat(units.underWay).isEmpty();
        assertThat(fresh.isBusy()).isFalse();
    }

    @Test
    void whoComesBeforeItIsSentGoesAlongAndWhoComesLaterIsWrittenBehindIt() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 0, 1);
        fresh.put(units, 1, new int[] {2}, telling("b"));
        assertThat(fresh.carry(7, 9, 1, () -> new int[] {9})).as("one at a time").isNull();
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        carried.put(memory, 0);
        assertThat(List.of(sum(memory, 0, 0), sum(memory, 0, 1))).containsExactly(1, 2);
        fresh.put(units, 2, new int[] {3}, telling("c"));
        assertThat(units.underWay).isEmpty();
        carried.ended(units, null, telling("a"));
        assertThat(ended).containsExactlyInAnyOrder("a", "b");
        units.endAll();
        assertThat(ended).endsWith("c");
        assertThat(List.of(stored(0), stored(1), stored(2), stored(9))).containsExactly(1, 2, 3, 0);
    }

    @Test
    void aRecordThatStayedBehindIsWrittenByItself() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 0, 1);
        carried.ended(units, null, telling("a"));
        assertThat(ended).as("nothing is stored yet").isEmpty();
        assertThat(fresh.isBusy()).isTrue();
        units.endAll();
        assertThat(ended).containsExactly("a");
        assertThat(stored(0)).isOne();
        assertThat(fresh.isBusy()).isFalse();
    }

    @Test
    void checksumsAreMadeWhenTheUnitIsPutAndNotBefore() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        List<String> made = new ArrayList<>();
        RecordWriter.Carried carried =
                Objects.requireNonNull(
                        fresh.carry(
                                7,
                                1,
                                1,
                                () -> {
                                    made.add("made");
                                    return new int[] {22};
                                }));
        assertThat(made).isEmpty();
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        carried.put(memory, 0);
        assertThat(made).containsExactly("made");
        assertThat(List.of(sum(memory, 0, 0), sum(memory, 0, 1))).containsExactly(0, 22);
    }

    @Test
    void ofATransferThatWasCalledOffTheRecordSaysWhatItSaidBefore() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        fresh.put(units, 0, new int[] {1}, telling("a"));
        units.endAll();
        RecordWriter.Carried carried =
                Objects.requireNonNull(fresh.carry(7, 0, 2, () -> null), "busy");
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        carried.put(memory, 0);
        assertThat(List.of(sum(memory, 0, 0), sum(memory, 0, 1))).containsExactly(1, 0);
        carried.ended(units, null, telling("b"));
        assertThat(ended).containsExactly("a", "b");
        assertThat(fresh.isBusy()).isFalse();
    }

    @Test
    void whatACalledOffTransferDidNotCoverIsReadBeforeTheRecordIsWritten() {
        int chunks = ManualUnits.BLOCK.length() / 4096;
        RecordWriter.Carried carried =
                Objects.requireNonNull(record.carry(7, 0, chunks, () -> null), "all of the block");
        record.put(units, 1, new int[] {2}, telling("b"));
        carried.ended(units, null, telling("a"));
        assertThat(units.underWay).singleElement().matches(call -> !call.isWrite());
        units.endAll();
        assertThat(ended).containsExactlyInAnyOrder("a", "b");
        assertThat(stored(1)).isEqualTo(2);
        assertThat(record.isBusy()).isFalse();
    }

    @Test
    void aRecordThatIsLeftBehindAtTheLastAttemptIsWrittenForAllWhomItHadTakenAlong() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 0, 1);
        fresh.put(units, 1, new int[] {2}, telling("b"));
        carried.put(ByteBuffer.allocateDirect(4096), 0);
        fresh.put(units, 2, new int[] {3}, telling("c"));
        carried.staysBehind();
        carried.ended(units, null, telling("a"));
        assertThat(ended).as("nothing is stored yet").isEmpty();
        assertThat(fresh.isBusy()).isTrue();
        assertThat(units.underWay).singleElement().matches(ManualUnits.Call::isWrite);
        units.endAll();
        assertThat(ended).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(List.of(stored(0), stored(1), stored(2))).containsExactly(1, 2, 3);
        assertThat(fresh.isBusy()).isFalse();
    }

    @Test
    void aRecordThatGoesAlongAgainAtTheLastAttemptIsNotWrittenByItself() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 0, 1);
        carried.put(ByteBuffer.allocateDirect(4096), 0);
        carried.staysBehind();
        fresh.put(units, 1, new int[] {2}, telling("b"));
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        carried.put(memory, 0);
        assertThat(List.of(sum(memory, 0, 0), sum(memory, 0, 1))).containsExactly(1, 2);
        carried.ended(units, null, telling("a"));
        assertThat(ended).containsExactlyInAnyOrder("a", "b");
        assertThat(units.underWay).isEmpty();
        assertThat(fresh.isBusy()).isFalse();
    }

    @Test
    void dataThatFailedWithoutTheRecordFailsNobodyElse() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 0, 1);
        fresh.put(units, 1, new int[] {2}, telling("b"));
        carried.put(ByteBuffer.allocateDirect(4096), 0);
        carried.staysBehind();
        carried.ended(units, new ServerLostException("lost"), telling("a"));
        assertThat(ended).containsExactly("a failed");
        units.endAll();
        assertThat(ended).containsExactly("a failed", "b");
    }

    @Test
    void whereThereIsNoMemoryAnyMoreARecordFailsAndNothingIsTriedAgain() {
        units.closed = true;
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        fresh.put(units, 0, new int[] {1}, telling("a"));
        assertThat(ended).containsExactly("a failed");
        assertThat(fresh.isBusy()).isFalse();
        record.put(units, 0, new int[] {1}, telling("b")); // It would have to be read first.
        assertThat(ended).containsExactly("a failed", "b failed");
        assertThat(record.isBusy()).isFalse();
    }

    @Test
    void whoWaitedBehindAWriteLearnsThatThereIsNoMemoryAnyMore() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        fresh.put(units, 0, new int[] {1}, telling("a"));
        fresh.put(units, 1, new int[] {2}, telling("b"));
        fresh.put(units, 2, new int[] {3}, telling("c"));
        units.closed = true;
        units.failFirst();
        assertThat(ended).containsExactlyInAnyOrder("a failed", "b failed", "c failed");
        assertThat(fresh.isBusy()).isFalse();
    }

    @Test
    void whereThereIsNoMemoryAnyMoreARecordThatStayedBehindFails() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 0, 1);
        fresh.put(units, 1, new int[] {2}, telling("b"));
        units.closed = true;
        carried.ended(units, null, telling("a"));
        assertThat(ended).containsExactlyInAnyOrder("a failed", "b failed");
        assertThat(fresh.isBusy()).isFalse();
    }

    @Test
    void dataThatFailedFailsThoseWhoseRecordItTookAlongAndNobodyElse() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 0, 1);
        fresh.put(units, 1, new int[] {2}, telling("b"));
        carried.put(ByteBuffer.allocateDirect(4096), 0);
        fresh.put(units, 2, new int[] {3}, telling("c"));
        carried.ended(units, new ServerLostException("lost"), telling("a"));
        assertThat(ended).containsExactlyInAnyOrder("a failed", "b failed");
        units.endAll();
        assertThat(ended).endsWith("c");
        assertThat(List.of(stored(0), stored(1), stored(2))).containsExactly(1, 2, 3);
    }

    @Test
    void dataThatFailedBeforeItWasSentLetsTheOthersGo() {
        RecordWriter fresh = new RecordWriter(ManualUnits.BLOCK, true);
        RecordWriter.Carried carried = carry(fresh, 0, 1);
        fresh.put(units, 1, new int[] {2}, telling("b"));
        carried.ended(units, new ServerLostException("lost"), telling("a"));
        assertThat(ended).containsExactly("a failed");
        units.endAll();
        assertThat(ended).containsExactly("a failed", "b");
    }

    @Test
    void partsOfOneUnitAreWrittenOneAfterTheOther() {
        for (int i = 0; i < 4; i++) {
            byte part = (byte) (i + 1);
            int at = i;
            edges.change(units, 8192, unit -> unit.put(at, part), telling("p" + i));
        }
        assertThat(units.underWay).hasSize(1);
        units.endAll();
        assertThat(ended).containsExactly("p0", "p1", "p2", "p3");
        byte[] unit = bytes(units.layout().dataOffset(0) + 8192);
        assertThat(unit).startsWith((byte) 1, (byte) 2, (byte) 3, (byte) 4);
        assertThat(edges.isBusy()).isFalse();
    }

    @Test
    void partsOfOtherUnitsDoNotWait() {
        edges.change(units, 0, unit -> unit.put(0, (byte) 1), telling("a"));
        edges.change(units, 4096, unit -> unit.put(0, (byte) 1), telling("b"));
        assertThat(units.underWay).hasSize(2);
    }

    @Test
    void aPartThatFailedLetsTheNextOneGo() {
        edges.change(units, 0, unit -> unit.put(0, (byte) 1), telling("a"));
        edges.change(units, 0, unit -> unit.put(1, (byte) 2), telling("b"));
        units.failFirst();
        units.endAll();
        assertThat(ended).containsExactly("a failed", "b");
        assertThat(bytes(units.layout().dataOffset(0))).startsWith((byte) 0, (byte) 2);
    }

    @Test
    void blocksThatAreIdleAreLetGoAndOthersStay() {
        OpenBlocks open = new OpenBlocks(2);
        OpenBlock busy = open.use(block(0), false);
        busy.record().put(units, 0, new int[] {1}, telling("a"));
        for (int i = 1; i < 9; i++) {
            OpenBlock idle = open.use(block(i), false);
            assertThat(idle.isBusy()).isFalse();
        }
        assertThat(open.size()).isEqualTo(2);
        assertThat(open.use(block(0), false)).isSameAs(busy);
    }

    private static BlockReference block(int slab) {
        return new BlockReference(1, 0, slab << 20, 1 << 20, 256 * slab, 0x1_0000_0001L, 0, 3);
    }
}
