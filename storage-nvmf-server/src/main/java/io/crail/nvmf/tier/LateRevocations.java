// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.nvmf.target.NvmeTarget;
import io.crail.storage.spi.FreedListener;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Revocations that wait for the medium: for a command in a block, or for the counter to be written.
 * Nothing can be done about either, and nothing is: the block stays as it is, for ever if need be.
 * But one that takes long is told of as quarantined. Thread-safe.
 */
final class LateRevocations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LateRevocations.class);
    private static final long LOOK_MILLIS = 1_000;

    private final long limitNanos;
    private final NvmeTarget target;
    private final Set<Watched> underWay = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer;
    private volatile int late;

    LateRevocations(Duration limit, NvmeTarget target) {
        this.limitNanos = limit.toNanos();
        this.target = target;
        this.timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread = new Thread(task, "crail-nvmf-revoke");
                            thread.setDaemon(true);
                            return thread;
                        });
        ScheduledFuture<?> unused =
                timer.scheduleWithFixedDelay(
                        this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private final class Watched implements FreedListener {
        private final int record;
        private final long generation;
        private final long since = System.nanoTime();
        private final FreedListener listener;
        private boolean told;

        Watched(int record, long generation, FreedListener listener) {
            this.record = record;
            this.generation = generation;
            this.listener = listener;
        }

        @Override
        public void freed(long newGeneration) {
            underWay.remove(this);
            listener.freed(newGeneration);
        }

        boolean isLate(long now) {
            return now - since >= limitNanos;
        }

        /** By the timer only. */
        void tell() {
            if (!told) {
                told = true;
                LOG.warn(
                        "Block at record {} of generation {} is not freed: a command on it, or the"
                                + " write of its counter, does not return from the device. {}"
                                + " connections are open",
                        record,
                        Long.toHexString(generation),
                        target.statistics().connections());
                listener.held();
            }
        }
    }

    /** The listener to hand on instead. */
    FreedListener watch(int record, long generation, FreedListener listener) {
        Watched watched = new Watched(record, generation, listener);
        underWay.add(watched);
        return watched;
    }

    /** It will not be called. */
    void forget(FreedListener watched) {
        underWay.removeIf(each -> each == watched);
    }

    private void look() {
        long now = System.nanoTime();
        int found = 0;
        for (Watched each : underWay) {
            if (each.isLate(now)) {
                each.tell();
                found++;
            }
        }
        late = found;
    }

    /** Those that take long now. */
    int count() {
        return late;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
