// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.stream;

import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_BYTES;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_CLOSE_OPERATIONS;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_OPERATIONS;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS;

import io.crail.hadoop.statistics.FileSystemCounters;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;

/** What one input stream has done. Thread-safe. */
final class ReadCounters {
    private final FileSystemCounters all;
    private final FileSystem.Statistics fileSystem;
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong seeks = new AtomicLong();
    private final AtomicLong vectored = new AtomicLong();
    private final AtomicLong ranges = new AtomicLong();
    private final AtomicLong combined = new AtomicLong();

    /**
     * @param all those of the file system, which has the bytes at once and all else at the end
     */
    ReadCounters(FileSystemCounters all) {
        this.all = all;
        this.fileSystem = all.ofScheme();
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

    /** The stream is closed; called once. */
    void close() {
        all.add(STREAM_READ_CLOSE_OPERATIONS, 1);
        all.add(STREAM_READ_OPERATIONS, operations.get());
        all.add(STREAM_READ_BYTES, bytes.get());
        all.add(STREAM_READ_SEEK_OPERATIONS, seeks.get());
        all.add(STREAM_READ_VECTORED_OPERATIONS, vectored.get());
        all.add(STREAM_READ_VECTORED_INCOMING_RANGES, ranges.get());
        all.add(STREAM_READ_VECTORED_COMBINED_RANGES, combined.get());
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
