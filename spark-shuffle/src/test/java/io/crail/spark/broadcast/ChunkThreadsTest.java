// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ChunkThreadsTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicBoolean ended = new AtomicBoolean();

    /** A task that notices that it is interrupted, and goes on until it may end. */
    private Void stubborn() {
        begun.countDown();
        while (mayEnd.getCount() > 0) {
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        }
        ended.set(true);
        return null;
    }

    @Test
    void nothingIsUnderWayWhenTheyAreClosed() throws InterruptedException {
        ChunkThreads threads = new ChunkThreads("test");
        Future<Void> task = threads.submit(this::stubborn);
        begun.await();
        AtomicBoolean endedBefore = new AtomicBoolean();
        AtomicBoolean remainsInterrupted = new AtomicBoolean();
        Thread closer =
                new Thread(
                        () -> {
                            Thread.currentThread().interrupt();
                            threads.close();
                            endedBefore.set(ended.get());
                            remainsInterrupted.set(Thread.currentThread().isInterrupted());
                        });
        closer.start();
        interrupted.await();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        assertThat(ended).isFalse();
        mayEnd.countDown();
        closer.join();
        assertThat(endedBefore).isTrue();
        assertThat(remainsInterrupted).isTrue();
        assertThat(task).isDone();
    }

    @Test
    void whatDoesNotEndIsNotWaitedForForEver() throws InterruptedException {
        ChunkThreads threads = new ChunkThreads("test", Duration.ofMillis(20));
        Future<Void> task = threads.submit(this::stubborn);
        begun.await();
        threads.close();
        assertThat(task).isNotDone();
        mayEnd.countDown();
        await().until(task::isDone);
    }
}
