// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.command.DataDirection;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What a poller is told to look for. */
class PlaceTableTest {
    private static final int PLACES = 64;
    private static final int SMALL = 4096;
    private static final ByteBuffer DATA = ByteBuffer.allocateDirect(1 << 20);

    private final PlaceTable table = new PlaceTable(PLACES);

    private Place take(int bytes) {
        return Objects.requireNonNull(table.take(command(bytes)));
    }

    private static Command command(int bytes) {
        return new PduReceiverTest.Idle(
                DataDirection.CONTROLLER_TO_HOST, DATA.duplicate().limit(bytes));
    }

    @Test
    void smallCommandsAreLookedForHoweverManyThereAre() {
        for (int i = 1; i <= PLACES; i++) {
            take(SMALL);
            assertThat(table.expected()).isEqualTo(i);
        }
    }

    @Test
    void nothingIsLookedForBehindLargeData() {
        Place small = take(SMALL);
        Place large = take(PlaceTable.LONG_BYTES - DataSharing.LEAST);
        assertThat(table.expected()).isEqualTo(2);
        take(DataSharing.LEAST);
        assertThat(table.expected()).isZero();
        table.release(small);
        assertThat(table.expected()).isZero();
        table.release(large);
        assertThat(table.expected()).isEqualTo(1);
    }

    @Test
    void smallOnesAddNothingToLargeData() {
        take(PlaceTable.LONG_BYTES - DataSharing.LEAST);
        for (int i = 0; i < DataSharing.LEAST / SMALL; i++) {
            take(SMALL);
        }
        assertThat(table.expected()).isEqualTo(table.taken());
    }

    @Property
    void nothingIsLeftOfCommandsThatHaveLeft(
            @ForAll @Size(max = 200) List<@IntRange(min = 1, max = 256) Integer> units) {
        ArrayDeque<Place> taken = new ArrayDeque<>();
        for (int each : units) {
            if (taken.size() == PLACES) {
                table.release(taken.remove());
            }
            taken.add(take(each * SMALL));
        }
        taken.forEach(table::release);
        assertThat(table.taken()).isZero();
        assertThat(table.expected()).isZero();
        Place last = take(SMALL);
        assertThat(table.expected()).isEqualTo(1);
        table.release(last); // The next list has the same table.
    }
}
