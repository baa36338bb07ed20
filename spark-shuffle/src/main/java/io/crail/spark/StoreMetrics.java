// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.crail.client.ClientStatistics;
import io.crail.client.ClientStatistics.Moved;
import io.crail.client.StorageServer;
import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.BroadcastCount;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * What an executor moves to and from crail, for Spark's metrics system: gauges that read the
 * counters of the client when somebody looks. Names are {@code bytesWritten}, {@code bytesRead},
 * and for each storage class that the cluster has when the executor starts, {@code
 * storageClass.NUMBER.bytesWritten} and {@code .bytesRead}; and what is counted of broadcasts,
 * which the driver has, too. Where the driver is an executor, it has both, by different names.
 */
final class StoreMetrics {
    private static final String SHARED_MEMORY = "shm";
    private static final Moved NOTHING = new Moved(0, 0, 0);

    private final MetricRegistry registry;
    private final ApplicationStore store;

    private StoreMetrics(MetricRegistry registry, ApplicationStore store) {
        this.registry = registry;
        this.store = store;
    }

    /** Adds the metrics of a driver. */
    static void registerDriver(MetricRegistry registry, ApplicationStore store) {
        new StoreMetrics(registry, store).addBroadcasts(true);
    }

    /** Adds the metrics of an executor. */
    static void registerExecutor(MetricRegistry registry, ApplicationStore store)
            throws CrailException {
        StoreMetrics metrics = new StoreMetrics(registry, store);
        metrics.add("bytesWritten", ClientStatistics::bytesWritten);
        metrics.add("bytesRead", StoreMetrics::allRead);
        metrics.add("bytesWritten.sameHost", each -> each.over(SHARED_MEMORY).bytesWritten());
        metrics.add("bytesRead.sameHost", each -> read(each.over(SHARED_MEMORY)));
        registry.register("bytesWritten.notPreferred", gauge(store::bytesElsewhere));
        store.client().servers().stream()
                .map(StorageServer::storageClass)
                .distinct()
                .forEach(metrics::addClass);
        metrics.addBroadcasts(false);
    }

    private void addBroadcasts(boolean ofDriver) {
        for (BroadcastCount each : BroadcastCount.values()) {
            if (each.isOfDriver() == ofDriver) {
                registry.register(each.metric(), gauge(() -> store.broadcasts().get(each)));
            }
        }
    }

    private void addClass(int number) {
        String prefix = "storageClass." + number + ".";
        add(prefix + "bytesWritten", each -> of(each, number).bytesWritten());
        add(prefix + "bytesRead", each -> read(of(each, number)));
    }

    /** Bytes that were copied, and those that were looked at in place. */
    private static long read(Moved moved) {
        return moved.bytesRead() + moved.bytesLent();
    }

    private static long allRead(ClientStatistics statistics) {
        return statistics.transports().values().stream().mapToLong(StoreMetrics::read).sum();
    }

    private static Moved of(ClientStatistics statistics, int storageClass) {
        return statistics.storageClasses().getOrDefault(storageClass, NOTHING);
    }

    private void add(String name, ToLongFunction<ClientStatistics> value) {
        registry.register(name, gauge(() -> value.applyAsLong(store.client().clientStatistics())));
    }

    private static Gauge<Long> gauge(LongSupplier value) {
        return value::getAsLong;
    }
}
