// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.TestMemoryManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPagesTest {
    private static final int FIRST = 4096;

    /** Of the partition, the address, and the place in an order. */
    private static final long EACH = 16;

    /** Counts what is granted of each kind, and grants no more heap than a test says. */
    private static final class Memory extends TestMemoryManager {
        private final Map<MemoryMode, Long> used = new EnumMap<>(MemoryMode.class);
        private long mostHeap;
        private long heapLimit = Long.MAX_VALUE;

        Memory(boolean offHeap) {
            super(
                    new SparkConf(false)
                            .set("spark.memory.offHeap.enabled", String.valueOf(offHeap))
                            .set("spark.memory.offHeap.size", "1g"));
        }

        long used(MemoryMode mode) {
            return used.getOrDefault(mode, 0L);
        }

        @Override
        public synchronized long acquireExecutionMemory(long bytes, long task, MemoryMode mode) {
            if (mode == MemoryMode.ON_HEAP && used(mode) + bytes > heapLimit) {
                return 0;
            }
            long granted = super.acquireExecutionMemory(bytes, task, mode);
            used.merge(mode, granted, Long::sum);
            mostHeap = Math.max(mostHeap, used(MemoryMode.ON_HEAP));
            return granted;
        }

        @Override
        public synchronized void releaseExecutionMemory(long bytes, long task, MemoryMode mode) {
            used.merge(mode, -bytes, Long::sum);
            super.releaseExecutionMemory(bytes, task, mode);
        }
    }

    /** Another part of the task, which asks for memory when it is asked for some. */
    private static final class Other extends MemoryConsumer {
        private int asked;
        private long got;

        Other(TaskMemoryManager manager) {
            super(manager, MemoryMode.ON_HEAP);
        }

        @Override
        public long spill(long size, MemoryConsumer trigger) {
            if (trigger != this) {
                asked++;
                got = acquireMemory(1 << 20);
            }
            return 0;
        }
    }

    private Memory memory = new Memory(true);
    private TaskMemoryManager manager = new TaskMemoryManager(memory, 0);
    private WriteMemory task = new WriteMemory(manager);
    private RecordPages pages = new RecordPages(task);
    private int reliefs;

    private void begin(boolean offHeap) {
        memory = new Memory(offHeap);
        manager = new TaskMemoryManager(memory, 0);
        task = new WriteMemory(manager);
        pages = new RecordPages(task);
    }

    @AfterEach
    void nothingIsHeld() {
        pages.free();
        task.close();
        assertThat(memory.used(MemoryMode.ON_HEAP)).isZero();
        assertThat(memory.used(MemoryMode.OFF_HEAP)).isZero();
        assertThat(manager.cleanUpAllAllocatedMemory()).isZero();
    }

    private boolean add(int number) {
        return pages.add(number % 7, ByteBuffer.allocate(4).putInt(number).array(), 4);
    }

    private int addAll(int count) {
        int added = 0;
        while (added < count && add(added)) {
            added++;
        }
        return added;
    }

    private boolean writeOut() {
        reliefs++;
        boolean some = pages.records() > 0;
        pages.free();
        return some;
    }

    @Test
    void whatIsKeptOfEachRecordCountsAsHeapThoughPagesAreElsewhere() throws IOException {
        assertThat(addAll(3 * FIRST)).isEqualTo(3 * FIRST);
        assertThat(memory.used(MemoryMode.ON_HEAP)).isEqualTo(4 * FIRST * EACH);
        assertThat(memory.used(MemoryMode.OFF_HEAP)).isEqualTo(1 << 20);
        assertThat(memory.mostHeap).as("old and new arrays").isEqualTo((2 + 4) * FIRST * EACH);
        assertThat(task.peak()).isEqualTo((1 << 20) + 6 * FIRST * EACH);
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        pages.copy(9_999, new byte[100], copy);
        assertThat(ByteBuffer.wrap(copy.toByteArray()).getInt()).isEqualTo(9_999);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itDoesNotGrowWithoutLeave(boolean offHeap) {
        begin(offHeap);
        memory.heapLimit = (offHeap ? 0 : 1 << 20) + 6 * FIRST * EACH - 1;
        assertThat(addAll(3 * FIRST)).isEqualTo(2 * FIRST);
        assertThat(pages.records()).isEqualTo(2 * FIRST);
        pages.clear();
        assertThat(addAll(3 * FIRST)).isEqualTo(2 * FIRST);
    }

    @Test
    void theFirstRecordsNeedNoLeave() {
        memory.heapLimit = 0;
        assertThat(addAll(3 * FIRST)).isEqualTo(FIRST);
        assertThat(memory.used(MemoryMode.ON_HEAP)).isZero();
        pages.free();
        memory.heapLimit = Long.MAX_VALUE;
        assertThat(addAll(3 * FIRST)).isEqualTo(3 * FIRST);
        assertThat(memory.used(MemoryMode.ON_HEAP)).isEqualTo(4 * FIRST * EACH);
    }

    @Test
    void whenAnotherPartOfTheTaskNeedsHeapTheArraysGo() {
        assertThat(addAll(3 * FIRST)).isEqualTo(3 * FIRST);
        task.heap().relief(this::writeOut);
        memory.heapLimit = 4 * FIRST * EACH;
        Other other = new Other(manager);
        assertThat(other.acquireMemory(FIRST)).isEqualTo(FIRST);
        assertThat(reliefs).isEqualTo(1);
        assertThat(pages.records()).isZero();
        assertThat(memory.used(MemoryMode.OFF_HEAP)).isZero();
        other.freeMemory(FIRST);
    }

    @Test
    void pagesAreAskedForThoughSparkDoesNotCountThem() throws IOException {
        assertThat(addAll(10)).isEqualTo(10);
        assertThat(task.buffers().getUsed()).isEqualTo(1 << 20);
        task.buffers().relief(this::writeOut);
        assertThat(task.buffers().spill(1, new Other(manager))).isEqualTo(1 << 20);
    }

    @Test
    void whileItAsksForMemoryItGivesNone() {
        begin(false);
        assertThat(addAll(FIRST)).isEqualTo(FIRST);
        task.heap().relief(this::writeOut);
        task.buffers().relief(this::writeOut);
        Other other = new Other(manager);
        assertThat(other.acquireMemory(1)).isEqualTo(1);
        memory.heapLimit = 0;
        assertThat(add(FIRST)).isFalse();
        assertThat(other.asked).isPositive();
        assertThat(other.got).isZero();
        assertThat(reliefs).isZero();
        assertThat(pages.records()).isEqualTo(FIRST);
        other.freeMemory(other.getUsed());
    }
}
