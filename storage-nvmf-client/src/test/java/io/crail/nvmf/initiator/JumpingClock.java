// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that goes on by itself and can be moved: what takes minutes is due at once. */
final class JumpingClock implements LongSupplier {
    private final AtomicLong offset = new AtomicLong();

    void jump(Duration by) {
        offset.addAndGet(by.toNanos());
    }

    @Override
    public long getAsLong() {
        return System.nanoTime() + offset.get();
    }
}
