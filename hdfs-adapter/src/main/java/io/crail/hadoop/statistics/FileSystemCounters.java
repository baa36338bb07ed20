// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.statistics;

import io.crail.hadoop.statistics.Operation.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.DynamicIOStatisticsBuilder;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;

/** What one file system has done, and its streams that are closed. Thread-safe, without a lock. */
public final class FileSystemCounters {
    private static final List<String> OF_STREAMS =
            List.of(
                    StreamStatisticNames.STREAM_READ_CLOSE_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_BYTES,
                    StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS,
                    StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES,
                    StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES,
                    StreamStatisticNames.STREAM_WRITE_BYTES,
                    StoreStatisticNames.OP_HFLUSH,
                    StoreStatisticNames.OP_HSYNC);

    private final Supplier<FileSystem.Statistics> ofScheme;
    private final Map<Operation, OperationTimes> operations = new EnumMap<>(Operation.class);
    private final Map<String, LongAdder> streams =
            OF_STREAMS.stream().collect(Collectors.toMap(key -> key, key -> new LongAdder()));
    private final IOStatistics published;

    /**
     * @param ofScheme Hadoop's own, which all file systems of a scheme share; asked for each time,
     *     since FileContext puts others in their place
     */
    public FileSystemCounters(Supplier<FileSystem.Statistics> ofScheme) {
        this.ofScheme = ofScheme;
        DynamicIOStatisticsBuilder builder = IOStatisticsBinding.dynamicIOStatistics();
        for (Operation each : Operation.values()) {
            OperationTimes times = new OperationTimes();
            operations.put(each, times);
            times.publish(each.key(), builder);
        }
        streams.forEach((key, adder) -> builder.withLongFunctionCounter(key, any -> adder.sum()));
        published = builder.build();
    }

    private OperationTimes times(Operation operation) {
        OperationTimes found = operations.get(operation);
        if (found == null) {
            throw new IllegalStateException(operation + " is not counted");
        }
        return found;
    }

    /** An operation begins. */
    public Call begin(Operation operation) {
        if (operation.kind() == Kind.READ) {
            ofScheme().incrementReadOps(1);
        } else {
            ofScheme().incrementWriteOps(1);
        }
        OperationTimes times = times(operation);
        times.called();
        return new Call(times);
    }

    /** An operation under way, which ends once, on any thread. */
    public static final class Call {
        private final OperationTimes times;
        private final long start = System.nanoTime();

        private Call(OperationTimes times) {
            this.times = times;
        }

        /** It is done. */
        public void succeeded() {
            times.succeeded(System.nanoTime() - start);
        }

        /** It was in vain. */
        public void failed() {
            times.failed();
        }
    }

    /**
     * Adds what a stream has done, when it is closed.
     *
     * @param key one of those that are kept of streams
     */
    public void add(String key, long amount) {
        LongAdder sum = streams.get(key);
        if (sum == null) {
            throw new IllegalArgumentException(key + " is not kept of streams");
        }
        sum.add(amount);
    }

    /** Those that all file systems of the scheme share; streams count their bytes there at once. */
    public FileSystem.Statistics ofScheme() {
        return ofScheme.get();
    }

    /** All numbers, as they are whenever one looks. */
    public IOStatistics published() {
        return published;
    }
}
