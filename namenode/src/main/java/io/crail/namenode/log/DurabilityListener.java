// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.ReadOnlyException;

/** Hears, at {@link Durability#SYNC}, what became durable. Called by the sync thread. */
public interface DurabilityListener {
    /** Every record up to this sequence is on stable storage. Sequences ascend. */
    void durable(long sequence);

    /**
     * A sync failed: nothing beyond the last durable sequence ever becomes durable in this life,
     * and the writer throws this from now on. Called at most once.
     */
    void failed(ReadOnlyException cause);

    /** For levels that report nothing. */
    static DurabilityListener none() {
        return new DurabilityListener() {
            @Override
            public void durable(long sequence) {}

            @Override
            public void failed(ReadOnlyException cause) {}
        };
    }
}
