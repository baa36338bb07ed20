// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock on which hardly any time passes but what a test lets pass: nothing is due only because
 * the machine stood still for a second. It does go on, so that whoever tries again does so.
 */
public final class SlowClock implements LongSupplier {
    private static final int SLOWER = 20;

    private final long origin = System.nanoTime();
    private final AtomicLong passed = new AtomicLong();

    public void pass(Duration time) {
        passed.addAndGet(time.toNanos());
    }

    @Override
    public long getAsLong() {
        return origin + (System.nanoTime() - origin) / SLOWER + passed.get();
    }
}
