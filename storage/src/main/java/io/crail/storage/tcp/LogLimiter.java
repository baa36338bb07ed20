// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs what a peer can cause at will: at most one line a second, with a count of those left out, so
 * that nobody fills a disk from outside. Thread-safe.
 */
final class LogLimiter {
    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final Logger logger;
    private final LongSupplier nanoClock;
    private final AtomicLong next;
    private final AtomicLong leftOut = new AtomicLong();

    LogLimiter(Logger logger, LongSupplier nanoClock) {
        this.logger = logger;
        this.nanoClock = nanoClock;
        this.next = new AtomicLong(nanoClock.getAsLong());
    }

    void warn(String what, Object peer, String why) {
        long now = nanoClock.getAsLong();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + INTERVAL_NANOS)) {
            leftOut.incrementAndGet();
            return;
        }
        long others = leftOut.getAndSet(0);
        if (others == 0) {
            logger.warn("{} {}: {}", what, peer, why);
        } else {
            logger.warn("{} {}: {} (and {} like it before)", what, peer, why, others);
        }
    }
}
