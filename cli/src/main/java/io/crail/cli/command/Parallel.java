// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does several things at a time. At most twice as many wait; whoever adds more does them itself.
 * Closing waits for all of them, each of which is bounded by its own deadlines.
 */
public final class Parallel implements AutoCloseable {
    private final Invocation invocation;
    private final ThreadPoolExecutor workers;

    public Parallel(Invocation invocation, int workers) {
        this.invocation = invocation;
        this.workers =
                new ThreadPoolExecutor(
                        workers,
                        workers,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(2 * workers),
                        task -> {
                            Thread thread = new Thread(task, "crail-worker");
                            thread.setDaemon(true);
                            return thread;
                        },
                        new ThreadPoolExecutor.CallerRunsPolicy());
    }

    /** Does it some time before {@link #close} returns; a failure is reported. */
    public void submit(String what, Invocation.Action action) {
        workers.execute(() -> invocation.attempt(what, action));
    }

    @Override
    public void close() {
        workers.shutdown();
        try {
            boolean ended = false;
            while (!ended) {
                ended = workers.awaitTermination(1, TimeUnit.HOURS);
            }
        } catch (InterruptedException e) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
