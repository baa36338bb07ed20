// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.TestMemoryManager;

/** A sort, the memory that it gets, and what should come out of it. */
final class SortFixture implements AutoCloseable {
    /** Grants what a test says. */
    static final class Memory extends TestMemoryManager {
        private final LongPredicate grants;

        Memory(LongPredicate grants) {
            super(new SparkConf(false));
            this.grants = grants;
        }

        @Override
        public synchronized long acquireExecutionMemory(long bytes, long task, MemoryMode mode) {
            return grants.test(bytes) ? super.acquireExecutionMemory(bytes, task, mode) : 0;
        }
    }

    /** Another part of the task, which takes memory when a test says. */
    static final class Other extends MemoryConsumer {
        Other(TaskMemoryManager manager) {
            super(manager, manager.pageSizeBytes(), MemoryMode.ON_HEAP);
        }

        @Override
        public long spill(long size, MemoryConsumer trigger) {
            return 0;
        }
    }

    final SpillsInMemory spills = new SpillsInMemory();
    final Memory memory;
    final TaskMemoryManager manager;
    final int keyLength;
    final int recordLength;
    final RecordSort sort;
    private final List<byte[]> added = new ArrayList<>();

    SortFixture(int keyLength, int recordLength, LongPredicate grants) {
        this.memory = new Memory(grants);
        this.manager = new TaskMemoryManager(memory, 0);
        this.keyLength = keyLength;
        this.recordLength = recordLength;
        this.sort =
                new ByteOrderSorter().begin(new SortTask(keyLength, recordLength, manager, spills));
    }

    Other other() {
        return new Other(manager);
    }

    /** Adds records by a stream that gives them by bits. */
    void add(List<byte[]> records, int atATime) throws IOException {
        byte[] bytes = new byte[records.size() * recordLength];
        for (int i = 0; i < records.size(); i++) {
            System.arraycopy(records.get(i), 0, bytes, i * recordLength, recordLength);
        }
        long count =
                sort.add(
                        new ByteArrayInputStream(bytes) {
                            @Override
                            public synchronized int read(byte[] target, int offset, int length) {
                                return super.read(target, offset, Math.min(length, atATime));
                            }
                        });
        if (count != records.size()) {
            throw new AssertionError(count + " instead of " + records.size());
        }
        added.addAll(records);
    }

    InputStream bytes(int count) {
        return new ByteArrayInputStream(new byte[count]);
    }

    /** What was added, by a sort that needs no proof. */
    List<byte[]> expected() {
        List<byte[]> sorted = new ArrayList<>(added);
        sorted.sort(
                (left, right) -> Arrays.compareUnsigned(left, 0, keyLength, right, 0, keyLength));
        return sorted;
    }

    byte[] copy(SortedRecords records) {
        return Arrays.copyOfRange(
                records.array(), records.offset(), records.offset() + recordLength);
    }

    List<byte[]> rest(SortedRecords records) throws IOException {
        List<byte[]> rest = new ArrayList<>();
        while (records.advance()) {
            rest.add(copy(records));
        }
        return rest;
    }

    /** Bytes of Spark's memory in use. */
    long used() {
        return manager.getMemoryConsumptionForThisTask();
    }

    @Override
    public void close() {
        sort.close();
    }
}
