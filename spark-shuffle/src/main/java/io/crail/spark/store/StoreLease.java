// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import java.util.concurrent.atomic.AtomicBoolean;

/** The right to use a store; whoever gives the last one back disconnects. Thread-safe. */
public final class StoreLease implements AutoCloseable {
    private final ApplicationStore store;
    private final Runnable released;
    private final AtomicBoolean closed = new AtomicBoolean();

    StoreLease(ApplicationStore store, Runnable released) {
        this.store = store;
        this.released = released;
    }

    /** The store. */
    public ApplicationStore store() {
        return store;
    }

    /** Gives it back. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            released.run();
        }
    }
}
