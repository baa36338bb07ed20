// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.store.MapOutput;
import io.crail.spark.store.MapOutputs;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A map output that a reduce task has open, or opens. Guarded by its fetcher. */
final class OpenBlocks {
    private final MapBlocks blocks;
    private MapOutputs.Lease lease;

    OpenBlocks(MapBlocks blocks, MapOutputs.Lease lease) {
        this.blocks = blocks;
        this.lease = lease;
    }

    MapBlocks blocks() {
        return blocks;
    }

    CompletableFuture<MapOutput> opened() {
        return lease.opened();
    }

    /** Whether it is open now. */
    boolean isOpen() {
        return opened().isDone() && !opened().isCompletedExceptionally();
    }

    /** Opens the output anew, and goes on with that. */
    void reopen(Supplier<MapOutputs.Lease> opening) {
        // First, or the one that is open would be found again.
        lease.distrust();
        lease.close();
        lease = opening.get();
    }

    /** Nothing of it is needed any more. Idempotent. */
    void close() {
        lease.close();
    }
}
