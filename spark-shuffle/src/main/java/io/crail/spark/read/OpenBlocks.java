// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.store.MapOutput;
import io.crail.spark.store.MapOutputs;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.spark.shuffle.FetchFailedException;

/** A map output that a reduce task has open, or opens. Belongs to the thread of the task. */
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

    /** Opens the output anew, and goes on with that. */
    void reopen(Supplier<MapOutputs.Lease> opening) {
        // First, or the one that is open would be found again.
        lease.distrust();
        lease.close();
        lease = opening.get();
    }

    /** What makes Spark run the map task again. To be thrown at once. */
    FetchFailedException failed(int shuffle, int partition, Throwable cause) {
        return new FetchFailedException(
                blocks.place(),
                shuffle,
                blocks.mapId(),
                blocks.mapIndex(),
                partition,
                "map output "
                        + blocks.mapId()
                        + " of shuffle "
                        + shuffle
                        + " cannot be read from crail: "
                        + cause.getMessage(),
                cause);
    }

    /** Nothing of it is needed any more. Idempotent. */
    void close() {
        lease.close();
    }
}
