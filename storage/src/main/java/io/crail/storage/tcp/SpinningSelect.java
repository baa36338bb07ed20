// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.protocol.polling.SpinPolicy;
import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Lets an event loop look for events before it sleeps, as long as that pays: see {@link
 * SpinPolicy}. Each look is a turn of the loop, so tasks and timers wait no longer than for one.
 * Used by one event loop only.
 */
final class SpinningSelect implements SelectStrategy {
    private final LongSupplier nanoTime;
    private final SpinPolicy policy;

    private boolean looking;
    private long start;
    private long budget;

    /**
     * A strategy.
     *
     * @param looks false sleeps at once
     */
    SpinningSelect(LongSupplier nanoTime, boolean looks) {
        this.nanoTime = nanoTime;
        this.policy = new SpinPolicy(looks);
    }

    @Override
    public int calculateStrategy(IntSupplier look, boolean hasTasks) throws Exception {
        if (hasTasks) {
            return look.get();
        }
        long now = nanoTime.getAsLong();
        if (!looking) {
            start = now;
            budget = policy.budget(now);
            looking = budget > 0;
        } else if (now - start >= budget) {
            looking = false;
            policy.missed(now);
        }
        if (!looking) {
            return SELECT;
        }
        SpinPolicy.yieldCore();
        int events = look.get();
        if (events <= 0) {
            return CONTINUE;
        }
        looking = false;
        now = nanoTime.getAsLong();
        policy.found(now, now - start);
        return events;
    }
}
