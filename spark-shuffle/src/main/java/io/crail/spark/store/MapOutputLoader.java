// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.spark.layout.MapOutputIndex;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Opens a map output and reads its index: two round trips, seldom three. */
final class MapOutputLoader {
    private final CrailClient client;

    MapOutputLoader(CrailClient client) {
        this.client = client;
    }

    /** The output at a path, which its shuffle says has so many partitions. */
    CompletableFuture<MapOutput> load(String path, int partitions) {
        return client.openAsync(path).thenCompose(file -> load(file, partitions));
    }

    private static CompletableFuture<MapOutput> load(CrailFile file, int partitions) {
        int probable = MapOutputIndex.probableFooterSize(partitions);
        return readTail(file, probable)
                .thenCompose(tail -> complete(file, tail))
                .thenApply(tail -> decode(file, tail, partitions))
                .whenComplete(
                        (output, failure) -> {
                            if (failure != null) {
                                file.close();
                            }
                        });
    }

    private static CompletableFuture<ByteBuffer> readTail(CrailFile file, int bytes) {
        ByteBuffer tail = ByteBuffer.allocate((int) Math.min(bytes, file.length()));
        return file.readAsync(file.length() - tail.capacity(), tail).thenApply(read -> tail.flip());
    }

    /** Reads again if the footer is longer than was thought. */
    private static CompletableFuture<ByteBuffer> complete(CrailFile file, ByteBuffer tail) {
        try {
            int size = MapOutputIndex.footerSize(file.length(), tail, file.path());
            return size <= tail.remaining()
                    ? CompletableFuture.completedFuture(tail)
                    : readTail(file, size);
        } catch (CrailException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static MapOutput decode(CrailFile file, ByteBuffer tail, int partitions) {
        try {
            MapOutputIndex index = MapOutputIndex.decode(file.length(), tail, file.path());
            if (index.partitions() != partitions) {
                throw new CorruptDataException(
                        file.path()
                                + " has "
                                + index.partitions()
                                + " partitions, its shuffle has "
                                + partitions);
            }
            return new MapOutput(file, index);
        } catch (CorruptDataException e) {
            throw new java.util.concurrent.CompletionException(e);
        }
    }
}
