// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.InternalException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that code the chunks of one value, and fetch them ahead, while it is written or read:
 * few, and gone with it. A broadcast is what all tasks of an executor wait for, so its cores have
 * nothing else to do.
 *
 * <p>Who submits keeps at most {@link #AHEAD} tasks under way, all of which the queue holds.
 */
final class ChunkThreads implements AutoCloseable {
    private static final int MAX_THREADS = 4;

    /** Tasks under way of one kind. */
    static final int AHEAD = 2 * MAX_THREADS;

    /** As long as what was interrupted may take to end. */
    private static final Duration END = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ChunkThreads.class);

    /** Kinds of tasks that are under way at a time. */
    private static final int KINDS = 3;

    private final ThreadPoolExecutor pool;
    private final Duration end;
    private final int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());

    ChunkThreads(String name) {
        this(name, END);
    }

    /**
     * Threads that are started when they are needed.
     *
     * @param end how long {@link #close} waits
     */
    ChunkThreads(String name, Duration end) {
        this.end = end;
        pool =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        1,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(KINDS * AHEAD),
                        task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    int count() {
        return threads;
    }

    <T> Future<T> submit(Callable<T> task) {
        return pool.submit(task);
    }

    /** The result of a task. */
    static <T> T await(Future<T> task) throws IOException {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while a broadcast was under way")
                            .initCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new InternalException("a chunk of a broadcast: " + e.getCause(), e.getCause());
        }
    }

    /**
     * Interrupts what is under way, and waits until it has ended: nobody writes into an array, or
     * reads one, whose owner has been told of a failure. It does so also in a thread that has been
     * interrupted itself, which remains so.
     */
    @Override
    public void close() {
        pool.shutdownNow();
        long until = System.nanoTime() + end.toNanos();
        boolean interrupted = Thread.interrupted();
        boolean ended = false;
        for (long left = end.toNanos(); !ended && left > 0; left = until - System.nanoTime()) {
            try {
                ended = pool.awaitTermination(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            LOG.warn(
                    "Threads of a broadcast did not end within {}; they go on by themselves.", end);
        }
    }
}
