// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.error.NvmeException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Calls of several lanes, each of which begins the next one when one has succeeded, until {@link
 * #stop} or its first failure. Thread-safe.
 */
final class EndlessLoad {
    /** Begins a call of a lane. */
    @FunctionalInterface
    interface Call {
        void begin(IoCompletion completion);
    }

    private final CountDownLatch running;
    private final Queue<NvmeException> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong succeeded = new AtomicLong();
    private volatile boolean stopped;

    /**
     * Begins.
     *
     * @param calls of each lane, by its number
     */
    EndlessLoad(int lanes, IntFunction<Call> calls) {
        running = new CountDownLatch(lanes);
        for (int i = 0; i < lanes; i++) {
            new Lane(calls.apply(i)).next();
        }
    }

    private final class Lane implements IoCompletion {
        private final Call call;

        Lane(Call call) {
            this.call = call;
        }

        void next() {
            call.begin(this);
        }

        @Override
        public void ended(@Nullable NvmeException failure) {
            if (failure != null) {
                failures.add(failure);
                running.countDown();
                return;
            }
            succeeded.incrementAndGet();
            if (stopped) {
                running.countDown();
            } else {
                next();
            }
        }
    }

    long succeeded() {
        return succeeded.get();
    }

    /** What lanes have failed with until now. */
    Queue<NvmeException> failures() {
        return failures;
    }

    void stop() {
        stopped = true;
    }

    /** Waits for the end of all lanes; what they failed with. */
    Queue<NvmeException> awaitEnd(Duration bound) throws InterruptedException {
        if (!running.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(
                    running.getCount() + " lanes have not ended within " + bound + ": " + failures);
        }
        return failures;
    }
}
