// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.stream;

import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_BYTES;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_OPERATIONS;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;

/** What one input stream has done. Thread-safe. */
final class ReadCounters {
    private final FileSystem.Statistics fileSystem;
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong seeks = new AtomicLong();
    private final AtomicLong vectored = new AtomicLong();
    private final AtomicLong ranges = new AtomicLong();
    private final AtomicLong combined = new AtomicLong();

    /**
     * @param fileSystem counts the bytes, too
     */
    ReadCounters(FileSystem.Statistics fileSystem) {
        this.fileSystem = fileSystem;
    }

    /** A read has ended with so many bytes, or with -1. */
    int read(int count) {
        operations.incrementAndGet();
        if (count > 0) {
            bytes.addAndGet(count);
            fileSystem.incrementBytesRead(count);
        }
        return count;
    }

    void seek() {
        seeks.incrementAndGet();
    }

    void vectored(int asked, int read) {
        vectored.incrementAndGet();
        ranges.addAndGet(asked);
        combined.addAndGet(read);
    }

    /** A range has arrived; by whichever thread, whose own statistics stay as they are. */
    void range(int count) {
        bytes.addAndGet(count);
        fileSystem.incrementBytesRead(count);
    }

    IOStatistics statistics() {
        return IOStatisticsBinding.dynamicIOStatistics()
                .withAtomicLongCounter(STREAM_READ_OPERATIONS, operations)
                .withAtomicLongCounter(STREAM_READ_BYTES, bytes)
                .withAtomicLongCounter(STREAM_READ_SEEK_OPERATIONS, seeks)
                .withAtomicLongCounter(STREAM_READ_VECTORED_OPERATIONS, vectored)
                .withAtomicLongCounter(STREAM_READ_VECTORED_INCOMING_RANGES, ranges)
                .withAtomicLongCounter(STREAM_READ_VECTORED_COMBINED_RANGES, combined)
                .build();
    }
}
