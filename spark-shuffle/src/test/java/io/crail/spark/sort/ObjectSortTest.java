// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.serializer.JavaSerializer;
import org.junit.jupiter.api.Test;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

class ObjectSortTest {
    private final SpillsInMemory spills = new SpillsInMemory();

    private record Fixture(
            SortFixture.Memory memory,
            TaskMemoryManager manager,
            TaskContext context,
            ObjectSort<Integer, String> sort) {}

    private Fixture fixture(LongPredicate grants) {
        SortFixture.Memory memory = new SortFixture.Memory(grants);
        TaskMemoryManager manager = new TaskMemoryManager(memory, 0);
        TaskContext context = Tasks.task(manager);
        return new Fixture(
                memory,
                manager,
                context,
                new ObjectSort<>(
                        Comparator.<Integer>naturalOrder(),
                        new JavaSerializer(new SparkConf(false)).newInstance(),
                        spills,
                        context,
                        5 << 20));
    }

    private static List<Product2<Integer, String>> records(Random random, int count, int keys) {
        List<Product2<Integer, String>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(new Tuple2<>(random.nextInt(keys), "value " + i));
        }
        return records;
    }

    private static <T> Iterator<T> iterator(List<T> list) {
        java.util.Iterator<T> each = list.iterator();
        return new AbstractIterator<>() {
            @Override
            public boolean hasNext() {
                return each.hasNext();
            }

            @Override
            public T next() {
                return each.next();
            }
        };
    }

    private static <T> List<T> list(Iterator<T> iterator) {
        List<T> list = new ArrayList<>();
        while (iterator.hasNext()) {
            list.add(iterator.next());
        }
        return list;
    }

    private static List<Product2<Integer, String>> sorted(List<Product2<Integer, String>> records) {
        List<Product2<Integer, String>> sorted = new ArrayList<>(records);
        sorted.sort(Comparator.comparing(Product2::_1));
        return sorted;
    }

    private void assertNothingIsHeld(Fixture fixture) {
        assertThat(fixture.manager.getMemoryConsumptionForThisTask()).isZero();
        assertThat(fixture.manager.cleanUpAllAllocatedMemory()).isZero();
        assertThat(spills.present).isEmpty();
        assertThat(spills.open).isZero();
    }

    @Property(tries = 60)
    void itIsAStableSort(
            @ForAll long seed,
            @ForAll @IntRange(max = 3000) int count,
            @ForAll @IntRange(min = 1, max = 10_000) int keys) {
        Fixture fixture = fixture(bytes -> true);
        List<Product2<Integer, String>> records = records(new Random(seed), count, keys);
        assertThat(fixture.sort.addAll(iterator(records))).isTrue();
        assertThat(list(fixture.sort.sorted())).isEqualTo(sorted(records));
        assertNothingIsHeld(fixture);
    }

    @Test
    void manyRecordsAreAccounted() {
        Fixture fixture = fixture(bytes -> true);
        List<Product2<Integer, String>> records = records(new Random(1), 200_000, 1 << 30);
        assertThat(fixture.sort.addAll(iterator(records))).isTrue();
        // A string and its bytes, and two references.
        assertThat(fixture.manager.getMemoryConsumptionForThisTask())
                .isBetween(200_000L * 60, 200_000L * 400);
        assertThat(fixture.sort.peakMemory()).isBetween(200_000L * 60, 200_000L * 200);
        assertThat(list(fixture.sort.sorted())).isEqualTo(sorted(records));
        assertNothingIsHeld(fixture);
    }

    @Test
    void whatIsTooMuchIsHandedOverAsItCame() {
        Fixture fixture = fixture(bytes -> bytes < 15_000_000);
        List<Product2<Integer, String>> records = records(new Random(2), 300_000, 1000);
        Iterator<Product2<Integer, String>> source = iterator(records);
        assertThat(fixture.sort.addAll(source)).isFalse();
        assertThat(source.hasNext()).isTrue();
        Iterator<Product2<Integer, String>> all = fixture.sort.handOver(source);
        assertThat(fixture.manager.getMemoryConsumptionForThisTask()).isZero();
        assertThat(list(all)).isEqualTo(records);
        assertNothingIsHeld(fixture);
    }

    @Test
    void recordsThatAreLeftMakeRoomForAnotherPartOfTheTask() {
        Fixture fixture = fixture(bytes -> true);
        List<Product2<Integer, String>> records = records(new Random(3), 150_000, 50);
        assertThat(fixture.sort.addAll(iterator(records))).isTrue();
        Iterator<Product2<Integer, String>> sorted = fixture.sort.sorted();
        List<Product2<Integer, String>> taken = new ArrayList<>();
        for (int i = 0; i < 70_000; i++) {
            taken.add(sorted.next());
        }
        assertThat(sorted.hasNext()).isTrue();
        fixture.memory.limit(0);
        SortFixture.Other other = new SortFixture.Other(fixture.manager);
        assertThat(other.acquireMemory(4_000_000)).isEqualTo(4_000_000);
        assertThat(spills.created).isEqualTo(1);
        assertThat(other.acquireMemory(1L << 40)).isLessThan(1L << 40);
        assertThat(spills.created).isEqualTo(1);
        taken.addAll(list(sorted));
        assertThat(taken).isEqualTo(sorted(records));
        other.freeMemory(other.getUsed());
        assertNothingIsHeld(fixture);
    }

    @Test
    void aTaskThatEndsInTheMiddleLeavesNothing() {
        Fixture fixture = fixture(bytes -> true);
        assertThat(fixture.sort.addAll(iterator(records(new Random(3), 150_000, 50)))).isTrue();
        Iterator<Product2<Integer, String>> sorted = fixture.sort.sorted();
        assertThat(sorted.next()._1()).isZero();
        fixture.memory.limit(0);
        SortFixture.Other other = new SortFixture.Other(fixture.manager);
        other.freeMemory(other.acquireMemory(4_000_000));
        assertThat(spills.open).isEqualTo(1);
        assertThat(sorted.hasNext()).isTrue();
        fixture.sort.close();
        assertNothingIsHeld(fixture);
    }

    @Test
    void aTaskThatIsKilledDoesNotGoOn() {
        Fixture fixture = fixture(bytes -> true);
        fixture.context.markInterrupted("no longer wanted");
        assertThatThrownBy(() -> fixture.sort.addAll(iterator(records(new Random(3), 150_000, 50))))
                .isInstanceOf(TaskKilledException.class);
        fixture.sort.close();
        assertNothingIsHeld(fixture);
    }
}
