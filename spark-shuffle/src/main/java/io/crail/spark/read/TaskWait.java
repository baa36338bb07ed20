// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;

/** Waits for the input of a task, and tells Spark for how long. Belongs to the task's thread. */
final class TaskWait {
    private final ShuffleReadMetricsReporter metrics;
    private long waitedNanos;

    TaskWait(ShuffleReadMetricsReporter metrics) {
        this.metrics = metrics;
    }

    <T> T await(Future<T> future) throws IOException, ExecutionException {
        try {
            return await(future, Long.MAX_VALUE);
        } catch (TimeoutException e) {
            throw new IllegalStateException("292 years are over", e);
        }
    }

    /**
     * Waits no longer than a time.
     *
     * @throws TimeoutException if it is not done then
     */
    <T> T await(Future<T> future, long nanos)
            throws IOException, ExecutionException, TimeoutException {
        boolean mustWait = !future.isDone();
        long start = mustWait ? System.nanoTime() : 0;
        try {
            return nanos == Long.MAX_VALUE
                    ? future.get()
                    : future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            if (mustWait) {
                count(System.nanoTime() - start);
            }
        }
    }

    /** The error of a task that was interrupted; its thread stays so. */
    static IOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return (IOException)
                new InterruptedIOException("the task was interrupted while it read its input")
                        .initCause(cause);
    }

    private void count(long nanos) {
        waitedNanos += nanos;
        long millis = TimeUnit.NANOSECONDS.toMillis(waitedNanos);
        if (millis > 0) {
            metrics.incFetchWaitTime(millis);
            waitedNanos -= TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }
}
