// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Adds up what tasks say of their shuffles. Read it when Spark's listener bus is empty. */
final class Totals extends SparkListener {
    volatile long recordsWritten;
    volatile long recordsRead;
    volatile long bytesWritten;
    volatile long bytesRead;
    volatile long bytesSpilled;
    volatile long mapBytesSpilled;
    volatile long mapPeakMemory;
    volatile long localBytesRead;
    volatile long localBlocks;
    volatile long remoteBlocks;
    volatile long fetchWaitMillis;
    volatile long writeNanos;
    volatile long taskMillis;
    volatile int mapTasks;
    volatile int failedTasks;

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskType().equals("ShuffleMapTask")) {
            mapTasks = mapTasks + 1;
        }
        if (!end.taskInfo().successful()) {
            failedTasks = failedTasks + 1;
        }
        TaskMetrics metrics = end.taskMetrics();
        if (metrics != null && end.taskType().equals("ShuffleMapTask")) {
            mapBytesSpilled += Math.min(metrics.diskBytesSpilled(), metrics.memoryBytesSpilled());
            mapPeakMemory = Math.max(mapPeakMemory, metrics.peakExecutionMemory());
        }
        if (metrics != null) {
            bytesSpilled += metrics.diskBytesSpilled();
            recordsWritten += metrics.shuffleWriteMetrics().recordsWritten();
            bytesWritten += metrics.shuffleWriteMetrics().bytesWritten();
            recordsRead += metrics.shuffleReadMetrics().recordsRead();
            bytesRead += metrics.shuffleReadMetrics().totalBytesRead();
            localBytesRead += metrics.shuffleReadMetrics().localBytesRead();
            localBlocks += metrics.shuffleReadMetrics().localBlocksFetched();
            remoteBlocks += metrics.shuffleReadMetrics().remoteBlocksFetched();
            fetchWaitMillis += metrics.shuffleReadMetrics().fetchWaitTime();
            writeNanos += metrics.shuffleWriteMetrics().writeTime();
            taskMillis += metrics.executorRunTime();
        }
    }
}
