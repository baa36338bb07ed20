// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.target.backing.MediumHook;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A device that hangs in the first access of a kind until a test lets it go on. */
final class Stall implements MediumHook {
    private final Access kind;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicBoolean taken = new AtomicBoolean();

    Stall(Access kind) {
        this.kind = kind;
    }

    @Override
    public void before(Access access, long position, int bytes) {
        if (access != kind || !taken.compareAndSet(false, true)) {
            return;
        }
        reached.countDown();
        try {
            if (!released.await(100, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the test never let the device go on");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts those who are at a medium", e);
        }
    }

    void awaitStalled() throws InterruptedException {
        assertThat(reached.await(60, TimeUnit.SECONDS)).as("a command is at the medium").isTrue();
    }

    void release() {
        released.countDown();
    }
}
