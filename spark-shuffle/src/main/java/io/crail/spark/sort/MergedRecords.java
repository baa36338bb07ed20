// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Several sequences of records that are in order, as one. Of equal keys, those of an earlier
 * sequence come first. Belongs to the thread of the task.
 *
 * <p>A heap of the sequences, by their present records, whose first is advanced and sinks.
 */
final class MergedRecords implements SortedRecords {
    private final List<? extends SortedRecords> sources;
    private final int keyLength;

    /** Numbers of the sources that have a record; none sorts before its parent. */
    private final int[] heap;

    private int size;
    private boolean begun;

    /**
     * A merge.
     *
     * @param sources in the order in which their records came; none has been advanced
     */
    MergedRecords(List<? extends SortedRecords> sources, int keyLength) {
        this.sources = new ArrayList<>(sources);
        this.keyLength = keyLength;
        this.heap = new int[sources.size()];
    }

    @Override
    public boolean advance() throws IOException {
        if (!begun) {
            begin();
        } else if (size > 0) {
            if (!sources.get(heap[0]).advance()) {
                heap[0] = heap[--size];
            }
            sink(0);
        }
        return size > 0;
    }

    private void begin() throws IOException {
        begun = true;
        for (int source = 0; source < heap.length; source++) {
            if (sources.get(source).advance()) {
                heap[size++] = source;
            }
        }
        for (int parent = size / 2 - 1; parent >= 0; parent--) {
            sink(parent);
        }
    }

    private void sink(int from) {
        int parent = from;
        while (2 * parent + 1 < size) {
            int child = 2 * parent + 1;
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], heap[parent])) {
                return;
            }
            int held = heap[parent];
            heap[parent] = heap[child];
            heap[child] = held;
            parent = child;
        }
    }

    private boolean isBefore(int left, int right) {
        SortedRecords one = sources.get(left);
        SortedRecords other = sources.get(right);
        int order =
                Arrays.compareUnsigned(
                        one.array(),
                        one.offset(),
                        one.offset() + keyLength,
                        other.array(),
                        other.offset(),
                        other.offset() + keyLength);
        return order < 0 || (order == 0 && left < right);
    }

    @Override
    public byte[] array() {
        return sources.get(heap[0]).array();
    }

    @Override
    public int offset() {
        return sources.get(heap[0]).offset();
    }
}
