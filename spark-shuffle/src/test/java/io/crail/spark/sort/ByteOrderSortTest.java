// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteOrderSortTest {
    /**
     * Random records, whose keys are of the first letters of an alphabet, from a common prefix on.
     */
    private static List<byte[]> records(
            Random random, int count, int keyLength, int recordLength, int letters, int common) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] record = new byte[recordLength];
            random.nextBytes(record);
            for (int at = 0; at < keyLength; at++) {
                record[at] = at < common ? (byte) 0x80 : (byte) (random.nextInt(letters) * 37);
            }
            records.add(record);
        }
        return records;
    }

    private static void assertSame(List<byte[]> actual, List<byte[]> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            assertThat(actual.get(i)).as("record %s", i).isEqualTo(expected.get(i));
        }
    }

    private static void assertNothingIsHeld(SortFixture fixture) {
        assertThat(fixture.used()).isZero();
        assertThat(fixture.manager.cleanUpAllAllocatedMemory()).isZero();
        assertThat(fixture.spills.present).isEmpty();
        assertThat(fixture.spills.open).isZero();
    }

    /** Values are random, so this shows as well that records with equal keys keep their order. */
    @Property(tries = 300)
    void itIsAStableSortWheneverMemoryIsRefused(
            @ForAll long seed,
            @ForAll @IntRange(max = 3) int magnitude,
            @ForAll @IntRange(min = 1, max = 20) int keyLength,
            @ForAll @IntRange(max = 200) int valueLength,
            @ForAll @IntRange(min = 1, max = 7) int letters,
            @ForAll @IntRange(max = 20) int common,
            @ForAll @IntRange(min = 1, max = 100) int percentGranted,
            @ForAll @IntRange(min = 1, max = 3) int streams)
            throws IOException {
        Random random = new Random(seed);
        int count = random.nextInt((int) Math.pow(10, magnitude + 1));
        int recordLength = keyLength + valueLength;
        try (SortFixture fixture =
                new SortFixture(
                        keyLength, recordLength, bytes -> random.nextInt(100) < percentGranted)) {
            for (int stream = 0; stream < streams; stream++) {
                fixture.add(
                        records(random, count, keyLength, recordLength, letters, common),
                        1 + random.nextInt(3 * recordLength));
            }
            assertSame(fixture.rest(fixture.sort.sorted()), fixture.expected());
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10, 256, 0", // as in TeraSort
        "10, 256, 9",
        "10, 2, 0",
        "10, 1, 10", // all equal
        "3, 256, 0",
        "8, 256, 7",
        "30, 2, 8", // nothing but what comes after the first eight bytes tells them apart
        "30, 256, 16",
    })
    void manyRecordsAreSortedInMemory(int keyLength, int letters, int common) throws IOException {
        try (SortFixture fixture = new SortFixture(keyLength, keyLength + 12, bytes -> true)) {
            Random random = new Random(keyLength * 31L + letters);
            fixture.add(records(random, 300_000, keyLength, keyLength + 12, letters, common), 8192);
            assertSame(fixture.rest(fixture.sort.sorted()), fixture.expected());
            assertThat(fixture.spills.created).isZero();
            assertThat(fixture.sort.peakMemory()).isGreaterThan(300_000L * (keyLength + 12));
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }

    @Test
    void withoutAnyMemoryItGoesOnAndFewRunsAreOpen() throws IOException {
        int recordLength = 33_000;
        try (SortFixture fixture = new SortFixture(4, recordLength, bytes -> false)) {
            Random random = new Random(5);
            // A record is a run, so there are more than two levels of them.
            for (int i = 0; i < 11; i++) {
                fixture.add(records(random, 100, 4, recordLength, 3, 0), 5000);
            }
            assertSame(fixture.rest(fixture.sort.sorted()), fixture.expected());
            assertThat(fixture.spills.mostOpen).isBetween(32, 96);
            assertThat(fixture.spills.created).isGreaterThan(1100);
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }

    @Test
    void recordsThatAreLeftMakeRoomForAnotherPartOfTheTask() throws IOException {
        try (SortFixture fixture = new SortFixture(10, 100, bytes -> true)) {
            fixture.add(records(new Random(9), 50_000, 10, 100, 256, 0), 100_000);
            SortedRecords sorted = fixture.sort.sorted();
            List<byte[]> taken = new ArrayList<>();
            for (int i = 0; i < 20_000 && sorted.advance(); i++) {
                taken.add(fixture.copy(sorted));
            }
            fixture.memory.limit(1000);
            SortFixture.Other other = fixture.other();
            assertThat(other.acquireMemory(4_000_000)).isEqualTo(4_000_000);
            assertThat(fixture.copy(sorted)).isEqualTo(taken.get(19_999));
            assertThat(fixture.spills.created).isEqualTo(1);
            assertThat(other.acquireMemory(1_000_000_000)).isLessThan(1_000_000_000);
            assertThat(fixture.spills.created).isEqualTo(1);
            taken.addAll(fixture.rest(sorted));
            assertSame(taken, fixture.expected());
            other.freeMemory(other.getUsed());
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }

    @Test
    void recordsMakeRoomBeforeTheyAreAllThere() throws IOException {
        try (SortFixture fixture = new SortFixture(10, 100, bytes -> true)) {
            Random random = new Random(11);
            fixture.add(records(random, 50_000, 10, 100, 3, 0), 100_000);
            fixture.memory.limit(0);
            SortFixture.Other other = fixture.other();
            assertThat(other.acquireMemory(1_000_000)).isEqualTo(1_000_000);
            assertThat(fixture.spills.created).isEqualTo(1);
            fixture.memory.limit(1L << 40);
            fixture.add(records(random, 50_000, 10, 100, 3, 0), 100_000);
            assertSame(fixture.rest(fixture.sort.sorted()), fixture.expected());
            other.freeMemory(other.getUsed());
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }

    @Test
    void nothingIsSortedToNothing() throws IOException {
        try (SortFixture fixture = new SortFixture(10, 100, bytes -> true)) {
            assertThat(fixture.sort.sorted().advance()).isFalse();
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }

    @Test
    void aStreamThatEndsInARecordIsCorrupt() {
        try (SortFixture fixture = new SortFixture(10, 100, bytes -> true)) {
            assertThatThrownBy(() -> fixture.sort.add(fixture.bytes(250)))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("50 of the 100 bytes");
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }

    @Test
    void whenItCannotSpillNothingStays() throws IOException {
        try (SortFixture fixture = new SortFixture(10, 100, bytes -> false)) {
            fixture.spills.capacity = 150_000;
            assertThatThrownBy(
                            () -> fixture.add(records(new Random(1), 5000, 10, 100, 256, 0), 999))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("no space");
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }

    @Test
    void aTaskThatEndsBeforeTheLastRecordLeavesNothing() throws IOException {
        try (SortFixture fixture = new SortFixture(10, 100, bytes -> bytes < 300_000)) {
            fixture.add(records(new Random(1), 50_000, 10, 100, 256, 0), 999);
            SortedRecords sorted = fixture.sort.sorted();
            assertThat(sorted.advance()).isTrue();
            assertThat(fixture.spills.present).isNotEmpty();
            assertThat(fixture.used()).isPositive();
            fixture.sort.close();
            assertNothingIsHeld(fixture);
        }
    }
}
