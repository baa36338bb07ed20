// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a client on which files are opened, filled and mapped. An interrupt closes the file
 * channel of the thread it hits, so this is done neither on threads of callers nor by the poller,
 * who would keep others waiting. The thread comes with the first task and goes when idle.
 */
final class BlockingTasks {
    private static final int MAX_QUEUED = 4096;
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    BlockingTasks(String name) {
        executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MAX_QUEUED),
                        body -> {
                            Thread made = new Thread(body, name);
                            made.setDaemon(true);
                            thread = made;
                            return made;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    /** Queues a task; false if it will not run. */
    boolean execute(Runnable task) {
        try {
            executor.execute(() -> Poller.run(task));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs what is queued and ends the thread; waits for it for a moment. */
    void close() {
        executor.shutdown();
        Thread last = thread;
        if (last != null && last != Thread.currentThread()) {
            Housekeeper.join(last);
        }
    }
}
