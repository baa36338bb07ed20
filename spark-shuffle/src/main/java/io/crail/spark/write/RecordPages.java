// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.memory.MemoryBlock;
import org.jspecify.annotations.Nullable;

/**
 * Serialised records in pages of Spark's memory, in the order in which they came, and of each its
 * partition and where it begins. Belongs to the thread of the task.
 *
 * <p>Addresses run through all pages; a record may lie in several.
 *
 * <p>What is kept of each record is on the heap, wherever the pages are, and is accounted as such:
 * while it grows, the old and the new arrays; and from the beginning the room for an order of the
 * records, since that is needed when there is no more memory.
 */
final class RecordPages {
    private static final long PAGE = 1 << 20;
    private static final int FIRST_RECORDS = 4096;

    /** So that all arrays are of legal size. */
    private static final int MAX_RECORDS = 1 << 27;

    /** Spark can tell 8,192 pages of a task apart. */
    private static final int MAX_PAGES = 8000;

    /** Its partition, where it begins, and its place in an order. */
    private static final long BYTES_PER_RECORD = Integer.BYTES + Long.BYTES + Integer.BYTES;

    private final MemoryAccount memory;
    private final MemoryAccount heap;
    private final List<MemoryBlock> pages = new ArrayList<>();

    /** Address at which each page begins, and behind the last one. */
    private long[] pageStarts = new long[16];

    private int[] partitions = {};
    private long[] starts = {};
    private int records;
    private long end;
    private int writing;

    RecordPages(WriteMemory memory) {
        this.memory = memory.buffers();
        this.heap = memory.heap();
    }

    /** Number of records. */
    int records() {
        return records;
    }

    /** Partition of a record. */
    int partition(int record) {
        return partitions[record];
    }

    /**
     * Takes a record.
     *
     * @return whether there was memory for it; if not, nothing has happened
     */
    boolean add(int partition, byte[] bytes, int length) {
        if (!reserveRecord() || !reserveBytes(length)) {
            return false;
        }
        partitions[records] = partition;
        starts[records] = end;
        records++;
        int done = 0;
        while (done < length) {
            while (end == pageStarts[writing + 1]) {
                writing++;
            }
            MemoryBlock page = pages.get(writing);
            int some = (int) Math.min(pageStarts[writing + 1] - end, length - done);
            Platform.copyMemory(
                    bytes,
                    Platform.BYTE_ARRAY_OFFSET + done,
                    page.getBaseObject(),
                    page.getBaseOffset() + (end - pageStarts[writing]),
                    some);
            done += some;
            end += some;
        }
        return true;
    }

    private boolean reserveRecord() {
        if (records < partitions.length) {
            return true;
        }
        int before = partitions.length;
        int room = Math.max(FIRST_RECORDS, before * 2);
        if (room > MAX_RECORDS || !acquire(room)) {
            return false;
        }
        partitions = Arrays.copyOf(partitions, room);
        starts = Arrays.copyOf(starts, room);
        heap.release(before * BYTES_PER_RECORD);
        return true;
    }

    /** The first arrays are small, and used without leave: each record by itself costs more. */
    private boolean acquire(int room) {
        long bytes = room * BYTES_PER_RECORD;
        if (heap.tryAcquire(bytes)) {
            return true;
        }
        if (room > FIRST_RECORDS) {
            return false;
        }
        heap.useWithoutLeave(bytes);
        return true;
    }

    private boolean reserveBytes(int length) {
        while (pageStarts[pages.size()] - end < length) {
            @Nullable MemoryBlock page = pages.size() < MAX_PAGES ? memory.tryPage(PAGE) : null;
            if (page == null) {
                return false;
            }
            pages.add(page);
            int count = pages.size();
            if (count == pageStarts.length) {
                pageStarts = Arrays.copyOf(pageStarts, count * 2);
            }
            pageStarts[count] = pageStarts[count - 1] + page.size();
        }
        return true;
    }

    /** Copies a record to a stream, by way of a buffer. */
    void copy(int record, byte[] buffer, OutputStream target) throws IOException {
        long from = starts[record];
        long to = record + 1 < records ? starts[record + 1] : end;
        int page = Arrays.binarySearch(pageStarts, 0, pages.size() + 1, from);
        page = page < 0 ? -page - 2 : page;
        while (from < to) {
            while (from >= pageStarts[page + 1]) {
                page++;
            }
            int some = (int) Math.min(Math.min(pageStarts[page + 1], to) - from, buffer.length);
            MemoryBlock block = pages.get(page);
            Platform.copyMemory(
                    block.getBaseObject(),
                    block.getBaseOffset() + (from - pageStarts[page]),
                    buffer,
                    Platform.BYTE_ARRAY_OFFSET,
                    some);
            target.write(buffer, 0, some);
            from += some;
        }
    }

    /** Forgets the records and keeps the memory. */
    void clear() {
        records = 0;
        end = 0;
        writing = 0;
    }

    /** Forgets the records and gives the memory back. */
    void free() {
        clear();
        pages.forEach(memory::giveBack);
        pages.clear();
        pageStarts = new long[16];
        heap.release(partitions.length * BYTES_PER_RECORD);
        partitions = new int[0];
        starts = new long[0];
    }
}
