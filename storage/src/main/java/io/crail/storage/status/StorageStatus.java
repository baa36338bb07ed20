// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.status;

import io.crail.status.Scrape;
import io.crail.status.StatusSource;
import io.crail.storage.spi.DataRequests;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierStatistics;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/** Shows a storage server. Asks nobody who could keep it waiting. Thread-safe. */
public final class StorageStatus implements StatusSource {
    private final String tierName;
    private final long capacity;
    private final StorageTier tier;
    private final CompletableFuture<Integer> registered;
    private final Future<?> ended;
    private final LongSupplier nanoTime;
    private final long startNanos;

    /**
     * @param registered completes with the server's id at the first registration
     * @param ended done when the server has given up or was closed
     */
    public StorageStatus(
            String tierName,
            long capacity,
            StorageTier tier,
            CompletableFuture<Integer> registered,
            Future<?> ended,
            LongSupplier nanoTime) {
        this.tierName = tierName;
        this.capacity = capacity;
        this.tier = tier;
        this.registered = registered;
        this.ended = ended;
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
    }

    @Override
    public String role() {
        return "storage";
    }

    @Override
    public Optional<String> problem() {
        if (ended.isDone()) {
            return Optional.of("the storage server has ended; its log says why");
        }
        return registered.isDone()
                ? Optional.empty()
                : Optional.of("not registered yet: no namenode has accepted this server");
    }

    @Override
    public void collect(Scrape scrape) {
        TierStatistics numbers = tier.statistics();
        scrape.value(StorageMetrics.UPTIME, (nanoTime.getAsLong() - startNanos) / 1e9);
        int id = registered.isCompletedExceptionally() ? 0 : registered.getNow(0);
        if (id > 0) {
            scrape.value(StorageMetrics.SERVER_ID, id);
        }
        scrape.flag(StorageMetrics.REGISTERED, registered.isDone() && !ended.isDone());
        scrape.value(StorageMetrics.CAPACITY, capacity, tierName);
        scrape.value(StorageMetrics.CONNECTIONS, numbers.connections());
        scrape.value(StorageMetrics.IN_FLIGHT, numbers.inFlight());
        DataRequests requests = numbers.requests();
        scrape.value(StorageMetrics.REQUESTS, requests.reads(), "read");
        scrape.value(StorageMetrics.REQUESTS, requests.writes(), "write");
        scrape.durations(StorageMetrics.DURATION, requests.readDurations(), "read");
        scrape.durations(StorageMetrics.DURATION, requests.writeDurations(), "write");
        scrape.value(StorageMetrics.READ, numbers.bytesRead());
        scrape.value(StorageMetrics.WRITTEN, numbers.bytesWritten());
        scrape.value(StorageMetrics.SHARED, numbers.shared());
        scrape.value(StorageMetrics.SESSIONS, numbers.sessions());
        scrape.value(StorageMetrics.PINS, numbers.pins());
        scrape.value(StorageMetrics.QUARANTINED, numbers.quarantined());
        scrape.value(StorageMetrics.DAMAGED, numbers.damaged());
    }
}
