// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sorts by the bytes of keys; stable. Records are collected in memory as long as Spark grants it.
 * When it does not, what is there is sorted and spilled as a <i>run</i>, and the memory given back;
 * in the end runs and memory are merged. If there is not even memory for a few records, they are
 * collected without leave, so that the task always goes on.
 *
 * <p>Runs are merged before the end when there are many, so that few are open at a time: as soon as
 * there are {@link #FAN_IN} of a level behind each other, they become one of the next. Each record
 * is written once for each level, and runs stay in the order in which their records came.
 *
 * <p>Spark may ask for memory in between calls, in the thread of the task: before the order is made
 * all records become a run; later those that have not been handed out.
 */
final class ByteOrderSort implements RecordSort {
    private static final int FAN_IN = 32;

    /** Buffers of a stream of a run, and of what compresses it. */
    private static final long OPEN_RUN = SpillInput.MEMORY + (128 << 10);

    private record Run(SpillFile file, int level) {}

    private final int keyLength;
    private final int recordLength;
    private final SpillSpace spills;
    private final SortMemory memory;
    private final RecordBlocks blocks;
    private final List<Run> runs = new ArrayList<>();
    private final ArrayDeque<SortedFile> open = new ArrayDeque<>();
    private boolean closed;

    ByteOrderSort(SortTask task) {
        keyLength = task.keyLength();
        recordLength = task.recordLength();
        spills = task.spills();
        memory = new SortMemory(task.memory());
        blocks = new RecordBlocks(recordLength, memory);
    }

    @Override
    public long add(InputStream records) throws IOException {
        memory.relief(null);
        long bytes = 0;
        int read = 0;
        while (read >= 0) {
            if (blocks.isFull()) {
                makeRoom();
            }
            read = blocks.read(records);
            bytes += Math.max(0, read);
        }
        int incomplete = blocks.incomplete();
        blocks.dropIncomplete();
        FixedSizeInput.checkWhole(incomplete, recordLength);
        memory.relief(this::spill);
        return bytes / recordLength;
    }

    private void makeRoom() throws IOException {
        if (blocks.grow()) {
            return;
        }
        spill();
        blocks.begin();
    }

    /** Makes a run of the records in memory, if there are any, and frees it. */
    private void spill() throws IOException {
        if (blocks.records() > 0) {
            SortedBlocks sorted = new SortedBlocks(blocks, keyLength, recordLength);
            runs.add(new Run(written(sorted), 0));
        }
        blocks.free();
        mergeFullLevels();
    }

    /** A file with the records that are left of some in memory. */
    private SpillFile written(SortedBlocks sorted) throws IOException {
        SpillFile file = spills.create(blocks.accounted());
        boolean whole = false;
        try {
            try (OutputStream target = file.write()) {
                sorted.writeTo(target);
            }
            whole = true;
            return file;
        } finally {
            if (!whole) {
                file.delete();
            }
        }
    }

    private void mergeFullLevels() throws IOException {
        while (runs.size() >= FAN_IN) {
            List<Run> last = runs.subList(runs.size() - FAN_IN, runs.size());
            int level = last.get(FAN_IN - 1).level;
            if (last.get(0).level != level) {
                return;
            }
            SpillFile merged = merged(last);
            last.clear();
            runs.add(new Run(merged, level + 1));
        }
    }

    /** Merges runs into one, and removes them. */
    private SpillFile merged(List<Run> parts) throws IOException {
        SortedRecords records = new MergedRecords(open(parts), keyLength);
        SpillFile file = spills.create(0);
        boolean whole = false;
        try {
            try (OutputStream target = file.write()) {
                while (records.advance()) {
                    target.write(records.array(), records.offset(), recordLength);
                }
            }
            whole = true;
            return file;
        } finally {
            closeOpen();
            if (!whole) {
                file.delete();
            }
        }
    }

    private List<SortedFile> open(List<Run> parts) {
        memory.use(parts.size() * OPEN_RUN);
        for (Run each : parts) {
            open.add(new SortedFile(each.file, recordLength));
        }
        return List.copyOf(open);
    }

    private void closeOpen() {
        memory.release(open.size() * OPEN_RUN);
        open.forEach(SortedFile::close);
        open.clear();
    }

    @Override
    public SortedRecords sorted() throws IOException {
        memory.relief(null);
        @Nullable SortedBlocks last = null;
        if (blocks.records() > 0) {
            last = new SortedBlocks(blocks, keyLength, recordLength);
            blocks.releaseSpare();
            SortedBlocks inMemory = last;
            memory.relief(() -> spillRest(inMemory));
        }
        if (runs.isEmpty() && last != null) {
            return last;
        }
        List<SortedRecords> sources = new ArrayList<>(open(runs));
        if (last != null) {
            sources.add(last);
        }
        return new MergedRecords(sources, keyLength);
    }

    private void spillRest(SortedBlocks sorted) throws IOException {
        if (sorted.isInMemory()) {
            SpillFile file = written(sorted);
            SortedFile rest = new SortedFile(file, recordLength);
            blocks.free();
            sorted.continueBy(rest);
            memory.use(OPEN_RUN);
            open.add(rest);
        }
    }

    @Override
    public long peakMemory() {
        return memory.peak();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        memory.relief(null);
        closeOpen();
        for (Iterator<Run> each = runs.iterator(); each.hasNext(); each.remove()) {
            each.next().file.delete();
        }
        blocks.free();
        memory.close();
    }
}
