// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DataPoolTest {
    private static final int LARGEST = 64 << 10;

    private final AtomicInteger room = new AtomicInteger();
    private final DataPool pool = new DataPool(4L * LARGEST, LARGEST, room::incrementAndGet);

    private DataBuffer take(int bytes) {
        return Objects.requireNonNull(pool.take(bytes));
    }

    @Test
    void buffersAreAlignedAndOfTheNextPowerOfTwo() {
        for (int bytes : new int[] {0, 1, 4096, 4097, 16384, LARGEST}) {
            DataBuffer buffer = take(bytes);
            assertThat(buffer.capacity()).isGreaterThanOrEqualTo(Math.max(bytes, 4096));
            assertThat(Integer.bitCount(buffer.capacity())).isEqualTo(1);
            assertThat(buffer.bytes().alignmentOffset(0, DataPool.ALIGNMENT)).isZero();
            buffer.release();
        }
        assertThat(pool.used()).isZero();
    }

    @Test
    void refusesWhatDoesNotFitAndTellsWhenThereIsRoom() {
        List<DataBuffer> all = new ArrayList<>();
        for (int index = 0; index < 4; index++) {
            all.add(take(LARGEST));
        }
        assertThat(pool.take(1)).isNull();
        assertThat(pool.refusals()).isEqualTo(1);
        assertThat(room).hasValue(0);
        all.forEach(DataBuffer::release);
        assertThat(room).as("told once, by the first release").hasValue(1);
        assertThat(pool.peak()).isEqualTo(4L * LARGEST);
    }

    @Test
    void smallBuffersThatAreBackMakeRoomForALargeOne() {
        List<DataBuffer> small = new ArrayList<>();
        for (int index = 0; index < 4 * 16; index++) {
            small.add(take(4096));
        }
        assertThat(pool.take(LARGEST)).isNull();
        small.forEach(DataBuffer::release);
        take(LARGEST).release();
    }

    @Test
    void aBufferIsGivenBackOnce() {
        DataBuffer buffer = take(1);
        buffer.release();
        assertThatThrownBy(buffer::release).isInstanceOf(IllegalStateException.class);
    }

    @Property(tries = 200)
    void neverLendsTheSameMemoryTwice(
            @ForAll @Size(max = 200) List<@IntRange(max = 2 * LARGEST) Integer> steps) {
        List<DataBuffer> taken = new ArrayList<>();
        long used = 0;
        for (int step : steps) {
            if (step > LARGEST) {
                if (!taken.isEmpty()) {
                    DataBuffer back = taken.remove(step % taken.size());
                    used -= back.capacity();
                    byte mark = back.bytes().get(0);
                    for (int at = 0; at < back.capacity(); at += 512) {
                        assertThat(back.bytes().get(at)).isEqualTo(mark);
                    }
                    back.release();
                }
                continue;
            }
            DataBuffer buffer = pool.take(step);
            if (buffer == null) {
                continue;
            }
            for (int at = 0; at < buffer.capacity(); at++) {
                buffer.bytes().put(at, (byte) step);
            }
            taken.add(buffer);
            used += buffer.capacity();
            assertThat(pool.used()).isEqualTo(used);
        }
        taken.forEach(DataBuffer::release);
        assertThat(pool.used()).isZero();
    }

    @Test
    void nobodyHoldsMoreThanIsLeftToTheOthers() {
        DataShare greedy = new DataShare();
        DataShare modest = new DataShare();
        DataBuffer first = Objects.requireNonNull(pool.take(LARGEST, greedy));
        DataBuffer second = Objects.requireNonNull(pool.take(LARGEST, greedy));
        assertThat(pool.take(LARGEST, greedy)).as("two of four are left").isNull();
        assertThat(pool.refusals()).isEqualTo(1);
        DataBuffer third = Objects.requireNonNull(pool.take(LARGEST, modest));
        assertThat(pool.take(LARGEST, modest)).as("one of four is left").isNull();
        DataBuffer last = Objects.requireNonNull(pool.take(LARGEST, new DataShare()));
        assertThat(pool.take(1, new DataShare())).as("nothing is left").isNull();
        first.release();
        assertThat(room).hasValue(1);
        assertThat(pool.take(LARGEST, greedy)).as("it still holds one").isNull();
        second.release();
        assertThat(pool.take(LARGEST, greedy)).as("it holds nothing").isNotNull();
        third.release();
        last.release();
    }
}
