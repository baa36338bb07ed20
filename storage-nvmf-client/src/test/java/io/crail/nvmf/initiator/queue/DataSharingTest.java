// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.RiderField;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which parts of shared memory commands get, and that these are theirs alone. */
class DataSharingTest {
    private static final int UNIT = 64 << 10;
    private static final int MEMORY = 32 * UNIT;

    private static final class Transfer extends Command {
        private final boolean aligned;
        private final SharedExtras extras;

        Transfer(DataDirection direction, ByteBuffer data, boolean aligned) {
            this(direction, data, aligned, SharedExtras.NONE);
        }

        Transfer(DataDirection direction, ByteBuffer data, boolean aligned, @Nullable Rider rider) {
            this(direction, data, aligned, new SharedExtras(rider, null, null));
        }

        Transfer(DataDirection direction, ByteBuffer data, boolean aligned, SharedExtras extras) {
            super(direction, data);
            this.aligned = aligned;
            this.extras = extras;
        }

        @Override
        protected SharedExtras extras() {
            return extras;
        }

        @Override
        public String what() {
            return "a transfer";
        }

        @Override
        protected void encode(ByteBuffer buffer, int at, int commandId) {}

        @Override
        protected boolean mayShareMemory() {
            return aligned;
        }

        @Override
        protected void completed(long result, int status) {}

        @Override
        protected void failed(NvmeException cause, boolean mayHaveRun) {}
    }

    /** A unit that is full of one number, or shall be. */
    private static final class Unit implements Rider {
        private final byte fill;
        private final List<Integer> puts = new ArrayList<>();
        private byte[] taken = {};

        Unit(int fill) {
            this.fill = (byte) fill;
        }

        @Override
        public long firstBlock() {
            return 9;
        }

        @Override
        public void put(ByteBuffer memory, int at) {
            puts.add(at);
            for (int index = 0; index < RiderField.SIZE; index++) {
                memory.put(at + index, fill);
            }
        }

        @Override
        public void take(ByteBuffer memory, int at) {
            taken = new byte[RiderField.SIZE];
            memory.get(at, taken);
        }
    }

    /** Takes what it is given in place. */
    private static final class Looker implements DataTaker {
        private final boolean keeps;
        private final List<KeptPart> parts = new ArrayList<>();

        Looker(boolean keeps) {
            this.keeps = keeps;
        }

        @Override
        public void take(ByteBuffer memory, int at) {
            throw new AssertionError("it was to be kept");
        }

        @Override
        public boolean keeps() {
            return keeps;
        }

        @Override
        public void keep(KeptPart part) {
            parts.add(part);
        }
    }

    private static Command read(int bytes, DataTaker taker, @Nullable Rider rider) {
        return new Transfer(
                DataDirection.CONTROLLER_TO_HOST,
                ByteBuffer.allocateDirect(bytes),
                true,
                new SharedExtras(rider, null, taker));
    }

    /** Reads something that is kept; null if it is not. */
    private static @Nullable KeptPart keep(DataSharing sharing, int bytes) {
        Looker looker = new Looker(true);
        Command command = read(bytes, looker, null);
        int at = sharing.lend(command);
        if (at < 0 || !sharing.keep(command)) {
            return null;
        }
        sharing.handOver(sharing::giveBackKept, command, at);
        return looker.parts.get(0);
    }

    private record Lent(Command command, int at, int fill) {
        ByteBuffer bytes() {
            byte[] bytes = new byte[command.length()];
            Arrays.fill(bytes, (byte) fill);
            return ByteBuffer.wrap(bytes);
        }
    }

    private static Command write(int bytes, int fill) {
        return write(bytes, fill, null);
    }

    private static Command write(int bytes, int fill, @Nullable Rider rider) {
        ByteBuffer data = ByteBuffer.allocateDirect(bytes + 100);
        for (int index = 0; index < data.capacity(); index++) {
            data.put(index, (byte) (index < 60 ? 0 : fill));
        }
        return new Transfer(
                DataDirection.HOST_TO_CONTROLLER, data.limit(bytes + 60).position(60), true, rider);
    }

    private static Command write(int bytes) {
        return write(bytes, 1);
    }

    private static DataSharing sharing(ByteBuffer memory) {
        DataSharing sharing = new DataSharing();
        sharing.makePossible(true);
        sharing.begin(memory);
        return sharing;
    }

    @Test
    void whoLooksAtTheBytesAnywayCopiesThemBeforeTheRiderIsPut() {
        ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
        DataSharing sharing = sharing(memory);
        int before = sharing.lend(write(4096));
        ByteBuffer data = ByteBuffer.allocateDirect(2 * UNIT);
        Unit rider = new Unit(7);
        List<Integer> given = new ArrayList<>();
        DataGiver giver =
                (into, at) -> {
                    assertThat(rider.puts).as("behind the data").isEmpty();
                    given.add(at);
                    into.put(at, (byte) 3);
                };
        int at =
                sharing.lend(
                        new Transfer(
                                DataDirection.HOST_TO_CONTROLLER,
                                data,
                                true,
                                new SharedExtras(rider, giver, null)));
        assertThat(before).as("too small").isEqualTo(-1);
        assertThat(given).containsExactly(at);
        assertThat(rider.puts).containsExactly(at + 2 * UNIT);
        assertThat(memory.get(at)).as("nobody copied again").isEqualTo((byte) 3);
    }

    /**
     * Positive numbers lend so many pages, every third one with a rider; others give one of the
     * lent parts back.
     */
    @Property(tries = 300)
    void partsAreWithinTheMemoryAndNeverOverlap(
            @ForAll @Size(max = 60) List<@IntRange(min = -20, max = 300) Integer> steps) {
        ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
        DataSharing sharing = sharing(memory);
        List<Lent> lent = new ArrayList<>();
        int fill = 0;
        for (int step : steps) {
            if (step > 0) {
                fill++;
                Command command = write(step * 4096, fill, fill % 3 == 0 ? new Unit(~fill) : null);
                int at = sharing.lend(command);
                if (at >= 0) {
                    lent.add(new Lent(command, at, fill));
                }
            } else if (!lent.isEmpty()) {
                Lent back = lent.remove(-step % lent.size());
                sharing.giveBack(back.command, back.at);
            }
            for (Lent each : lent) {
                assertThat(memory.get(each.at)).isEqualTo((byte) each.fill);
                assertThat(memory.slice(each.at, each.command.length()).mismatch(each.bytes()))
                        .isEqualTo(-1);
                if (each.command.extras().rider() != null) {
                    int end = each.at + each.command.length();
                    assertThat(memory.get(end)).isEqualTo((byte) ~each.fill);
                    assertThat(memory.get(end + RiderField.SIZE - 1)).isEqualTo((byte) ~each.fill);
                }
            }
        }
        lent.forEach(each -> sharing.giveBack(each.command, each.at));
        assertThat(sharing.lend(write(MEMORY))).isZero();
    }

    @Test
    void aRiderLiesBehindTheDataAndNeedsRoomThere() {
        ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
        DataSharing sharing = sharing(memory);
        Unit unit = new Unit(5);
        Command whole = write(MEMORY, 1, unit);
        assertThat(sharing.isFor(whole)).as("no room for both").isFalse();
        assertThat(sharing.takesRiders(MEMORY)).isFalse();
        assertThat(sharing.takesRiders(MEMORY - 4096)).isTrue();
        assertThat(sharing.takesRiders(DataSharing.LEAST - 4096)).isFalse();
        Command command = write(UNIT, 1, unit);
        assertThat(sharing.lend(command)).isZero();
        assertThat(unit.puts).containsExactly(UNIT);
        assertThat(sharing.lend(write(UNIT))).as("behind both").isEqualTo(2 * UNIT);
        sharing.giveBack(command, 0);
        assertThat(sharing.lend(write(2 * UNIT))).isZero();
    }

    @Test
    void aRiderThatIsReadArrives() {
        ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
        DataSharing sharing = sharing(memory);
        Unit unit = new Unit(0);
        Command read =
                new Transfer(
                        DataDirection.CONTROLLER_TO_HOST,
                        ByteBuffer.allocateDirect(UNIT),
                        true,
                        unit);
        int at = sharing.lend(read);
        memory.put(at + UNIT, (byte) 77);
        sharing.fetch(read, at);
        assertThat(unit.taken).startsWith(77, 0, 0);
        assertThat(unit.puts).isEmpty();
    }

    @Test
    void dataThatIsKeptStaysUntilItIsGivenBack() {
        ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
        DataSharing sharing = sharing(memory);
        Looker looker = new Looker(true);
        Unit unit = new Unit(0);
        assertThat(sharing.lend(write(UNIT))).isZero();
        Command read = read(2 * UNIT, looker, unit);
        int at = sharing.lend(read);
        memory.put(at, (byte) 4).put(at + 2 * UNIT - 1, (byte) 5).put(at + 2 * UNIT, (byte) 77);
        assertThat(sharing.keep(read)).isTrue();
        sharing.handOver(sharing::giveBackKept, read, at);
        assertThat(unit.taken).startsWith(77, 0);
        KeptPart part = looker.parts.get(0);
        assertThat(part.data().isReadOnly()).isTrue();
        assertThat(part.data().remaining()).isEqualTo(2 * UNIT);
        assertThat(part.data().get(0)).isEqualTo((byte) 4);
        assertThat(part.data().get(2 * UNIT - 1)).isEqualTo((byte) 5);
        assertThat(sharing.lend(write(UNIT))).as("behind it").isEqualTo(4 * UNIT);
        part.close();
        assertThat(sharing.lend(write(3 * UNIT))).as("in its place").isEqualTo(UNIT);
        part.close();
        assertThat(sharing.lend(write(UNIT))).as("it belongs to others").isEqualTo(5 * UNIT);
    }

    @Test
    void halfOfTheMemoryIsNeverKept() {
        DataSharing sharing = sharing(ByteBuffer.allocateDirect(MEMORY));
        Deque<KeptPart> kept = new ArrayDeque<>();
        for (KeptPart part = keep(sharing, 2 * UNIT); part != null; ) {
            kept.add(part);
            part = keep(sharing, 2 * UNIT);
        }
        assertThat(kept).hasSize(MEMORY / UNIT / 2 / 2);
        kept.remove().close();
        assertThat(keep(sharing, 2 * UNIT)).isNotNull();
        assertThat(keep(sharing, 2 * UNIT)).isNull();
    }

    @Test
    void whatIsSmallOrIsNotToBeKeptIsNot() {
        DataSharing sharing = sharing(ByteBuffer.allocateDirect(MEMORY));
        assertThat(keep(sharing, UNIT)).isNull();
        Command unwanted = read(2 * UNIT, new Looker(false), null);
        assertThat(sharing.lend(unwanted)).isPositive();
        assertThat(sharing.keep(unwanted)).isFalse();
        Command plain = write(2 * UNIT);
        assertThat(sharing.lend(plain)).isPositive();
        assertThat(sharing.keep(plain)).isFalse();
    }

    @Test
    void nobodyWaitsForWhatIsKept() {
        DataSharing sharing = sharing(ByteBuffer.allocateDirect(MEMORY));
        WaitingCommands waiting = new WaitingCommands(sharing);
        // Kept parts and gaps of two units, up to the half that is never kept, which is in use.
        Deque<Command> gaps = new ArrayDeque<>();
        for (int i = 0; i < MEMORY / UNIT / 4 - 2; i++) {
            assertThat(keep(sharing, 2 * UNIT)).isNotNull();
            Command gap = write(2 * UNIT);
            assertThat(sharing.lend(gap)).isEqualTo((4 * i + 2) * UNIT);
            gaps.add(gap);
        }
        Command last = write(8 * UNIT);
        assertThat(sharing.lend(last)).isPositive();
        int at = 2 * UNIT;
        for (Command each : gaps) {
            sharing.giveBack(each, at);
            at += 4 * UNIT;
        }
        Command large = write(12 * UNIT);
        Command fits = write(2 * UNIT);
        assertThat(waiting.hasToWait(fits)).isFalse();
        assertThat(waiting.hasToWait(large)).as("for the last one").isTrue();
        waiting.add(large);
        assertThat(waiting.peek()).isNull();
        sharing.giveBack(last, MEMORY - 8 * UNIT);
        assertThat(waiting.hasToWait(write(12 * UNIT))).as("in turn").isTrue();
        assertThat(waiting.peek()).isSameAs(large);
        waiting.remove(large);
        assertThat(sharing.lend(large)).as("through the socket").isEqualTo(-1);
        assertThat(waiting.hasToWait(write(12 * UNIT))).isFalse();
    }

    @Test
    void whereTheControllerKnowsNoRidersTheyStayBehind() {
        DataSharing sharing = new DataSharing();
        sharing.makePossible(false);
        sharing.begin(ByteBuffer.allocateDirect(MEMORY));
        Unit unit = new Unit(5);
        Command command = write(UNIT, 1, unit);
        assertThat(sharing.rides(command)).isFalse();
        assertThat(sharing.takesRiders(UNIT)).isFalse();
        assertThat(sharing.lend(command)).isZero();
        assertThat(sharing.lend(write(UNIT))).isEqualTo(UNIT);
        assertThat(unit.puts).isEmpty();
    }

    @Test
    void whoFindsNoRoomGetsNone() {
        DataSharing sharing = sharing(ByteBuffer.allocateDirect(MEMORY));
        Command most = write(MEMORY - UNIT);
        assertThat(sharing.lend(most)).isZero();
        assertThat(sharing.lend(write(UNIT + 4096))).isEqualTo(-1);
        assertThat(sharing.lend(write(UNIT))).isEqualTo(MEMORY - UNIT);
        sharing.giveBack(most, 0);
        assertThat(sharing.lend(write(MEMORY))).isEqualTo(-1);
        assertThat(sharing.lend(write(UNIT + 4096))).isZero();
    }

    @Test
    void whoWaitsForRoomIsNotOvertakenByOthersWhoNeedItAndHoldsNobodyElseUp() {
        DataSharing sharing = sharing(ByteBuffer.allocateDirect(MEMORY));
        WaitingCommands waiting = new WaitingCommands(sharing);
        Command most = write(MEMORY - UNIT);
        assertThat(waiting.hasToWait(most)).isFalse();
        int at = sharing.lend(most);
        Command large = write(2 * UNIT);
        Command fits = write(UNIT);
        Command small = write(4096);
        Command another = write(4096);
        assertThat(waiting.hasToWait(large)).isTrue();
        waiting.add(large);
        assertThat(waiting.hasToWait(fits)).as("there is room, but somebody waits").isTrue();
        waiting.add(fits);
        assertThat(waiting.hasToWait(small)).isFalse();
        waiting.add(small); // for a place
        waiting.add(another);
        assertThat(waiting.size()).isEqualTo(4);
        assertThat(waiting.peek()).isSameAs(small);
        waiting.remove(small);
        sharing.giveBack(most, at);
        for (Command each : List.of(large, another, fits)) {
            assertThat(waiting.peek()).isSameAs(each);
            assertThat(sharing.lend(each) >= 0).isEqualTo(each != another);
            waiting.remove(each);
        }
        assertThat(waiting.peek()).isNull();
        Command tooLarge = write(MEMORY + UNIT);
        assertThat(waiting.hasToWait(tooLarge)).as("would wait for ever").isFalse();
        assertThat(sharing.lend(tooLarge)).isEqualTo(-1);
    }

    @Test
    void memoryThatIsNoWholePartsIsUsedAsFarAsItGoesAndNobodyWaitsForTheRest() {
        DataSharing sharing = sharing(ByteBuffer.allocateDirect(UNIT + 40_000));
        WaitingCommands waiting = new WaitingCommands(sharing);
        assertThat(waiting.hasToWait(write(UNIT + 4096))).isFalse();
        assertThat(sharing.lend(write(UNIT + 4096))).isEqualTo(-1);
        assertThat(sharing.lend(write(UNIT))).isZero();
        DataSharing tiny = sharing(ByteBuffer.allocateDirect(40_960));
        assertThat(new WaitingCommands(tiny).hasToWait(write(DataSharing.LEAST))).isFalse();
        assertThat(tiny.lend(write(DataSharing.LEAST))).isEqualTo(-1);
    }

    @Test
    void whoWaitedForAPlaceMayHaveToWaitForRoomThen() {
        DataSharing sharing = new DataSharing();
        WaitingCommands waiting = new WaitingCommands(sharing);
        Command first = write(MEMORY);
        Command second = write(UNIT);
        Command small = write(4096);
        waiting.add(first);
        waiting.add(second);
        waiting.add(small);
        sharing.begin(ByteBuffer.allocateDirect(MEMORY));
        assertThat(waiting.peek()).isSameAs(first);
        assertThat(sharing.lend(first)).isZero();
        waiting.remove(first);
        assertThat(waiting.peek()).isSameAs(small);
        waiting.remove(small);
        assertThat(waiting.peek()).isNull();
        sharing.giveBack(first, 0);
        assertThat(waiting.peek()).isSameAs(second);
        List<Command> left = new ArrayList<>();
        waiting.clear(left::add);
        assertThat(left).containsExactly(second);
        assertThat(waiting.size()).isZero();
    }

    @Test
    void whatTheControllerPutThereArrives() {
        ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY);
        DataSharing sharing = sharing(memory);
        ByteBuffer data = ByteBuffer.allocateDirect(2 * UNIT);
        data.limit(UNIT + 5).position(5);
        Command read = new Transfer(DataDirection.CONTROLLER_TO_HOST, data, true);
        assertThat(sharing.lend(write(UNIT))).isZero();
        int at = sharing.lend(read);
        assertThat(at).isEqualTo(UNIT);
        for (int index = 0; index < UNIT; index++) {
            memory.put(at + index, (byte) index);
        }
        sharing.fetch(read, at);
        assertThat(data.slice(5, UNIT)).isEqualTo(memory.slice(at, UNIT));
        assertThat(data.clear().get(4)).isZero();
        assertThat(data.get(UNIT + 5)).isZero();
    }

    @Test
    void smallDataAndDataOfOtherCommandsGoThroughTheSocket() {
        DataSharing sharing = sharing(ByteBuffer.allocateDirect(MEMORY));
        assertThat(sharing.lend(write(DataSharing.LEAST - 4096))).isEqualTo(-1);
        assertThat(sharing.lend(write(DataSharing.LEAST + 512))).isEqualTo(-1);
        ByteBuffer data = ByteBuffer.allocateDirect(UNIT);
        assertThat(sharing.lend(new Transfer(DataDirection.HOST_TO_CONTROLLER, data, false)))
                .isEqualTo(-1);
        assertThat(sharing.lend(write(DataSharing.LEAST))).isZero();
    }

    @Test
    void memoryIsAskedForWhenSomeLargeCommandsHaveGoneAndLaterAgain() {
        DataSharing sharing = new DataSharing();
        sharing.makePossible(true);
        assertThat(askedAfter(sharing, 1000)).isEqualTo(16);
        assertThat(askedAfter(sharing, 1000)).isEqualTo(-1);
        sharing.refused();
        assertThat(askedAfter(sharing, 10_000)).isEqualTo(4 * 1016 - 1016);
        sharing.begin(ByteBuffer.allocateDirect(MEMORY));
        assertThat(askedAfter(sharing, 10_000)).isEqualTo(-1);
        assertThat(askedAfter(new DataSharing(), 10_000)).isEqualTo(-1);
    }

    private static int askedAfter(DataSharing sharing, int commands) {
        Command small = write(4096);
        Command large = write(UNIT);
        for (int count = 1; count <= commands; count++) {
            assertThat(sharing.isWanted(small)).isFalse();
            if (sharing.isWanted(large)) {
                return count;
            }
        }
        return -1;
    }
}
