// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.error.CrailException;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.tier.NvmfTierProvider;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.StorageTierProvider;
import io.crail.storage.spi.TierContext;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The flash tier on a device that can be told to keep one access for a while. */
public final class StallingFlash implements StorageTierProvider {
    static final String NAME = "nvmf-stalling";

    /** What is kept; one at a time, in one cluster in this JVM. */
    private static final AtomicReference<@Nullable Stall> ARMED = new AtomicReference<>();

    /** Keeps the next large access of a kind until it is let go. */
    static final class Stall {
        private static final int LARGE = 64 << 10;

        private final MediumHook.Access kind;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Stall(MediumHook.Access kind) {
            this.kind = kind;
        }

        static Stall arm(MediumHook.Access kind) {
            Stall stall = new Stall(kind);
            ARMED.set(stall);
            return stall;
        }

        private boolean concerns(MediumHook.Access access, int bytes) {
            return access == kind && bytes >= LARGE;
        }

        boolean isReached() {
            return reached.getCount() == 0;
        }

        void release() {
            released.countDown();
        }
    }

    private static void before(MediumHook.Access access, long position, int bytes)
            throws IOException {
        Stall stall = ARMED.get();
        if (stall != null && stall.concerns(access, bytes) && ARMED.compareAndSet(stall, null)) {
            stall.reached.countDown();
            try {
                if (!stall.released.await(100, TimeUnit.SECONDS)) {
                    throw new IOException("the test never let the device go on");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StorageTier open(TierContext context) throws CrailException {
        return new NvmfTierProvider(StallingFlash::before).open(context);
    }
}
