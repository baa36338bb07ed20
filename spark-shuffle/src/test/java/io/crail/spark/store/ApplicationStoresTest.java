// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import io.crail.spark.config.CrailSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who uses the store of an application, and who connects. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ApplicationStoresTest {
    private final ApplicationStores stores = new ApplicationStores();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private EmbeddedCluster cluster;

    @BeforeEach
    void start() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(0).start();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        cluster.close();
    }

    private static SparkConf configuration(String namenode) {
        return new SparkConf(false)
                .set("spark.app.name", "an application")
                .set("spark.crail.namenodes", namenode);
    }

    private StoreLease begin(SparkConf conf) throws CrailException {
        return stores.begin(conf, CrailSettings.of(conf), new Random(1));
    }

    @Test
    void thoseOfAnApplicationShareAStoreUntilTheLastHasGone() throws CrailException {
        SparkConf conf = configuration(cluster.namenode());
        StoreLease driver = begin(conf);
        StoreLease manager = stores.join(conf);
        assertThat(manager.store()).isSameAs(driver.store());
        driver.close();
        manager.store().client().ping();
        manager.close();
        StoreLease later = stores.join(conf);
        assertThat(later.store()).isNotSameAs(driver.store());
        later.store().removeAll();
        later.close();
    }

    private static void writeEmpty(ApplicationStore store, int shuffle) throws IOException {
        store.create(shuffle, store.outputPath(shuffle, 1), 0).close();
        assertThat(store.client().lookup(store.outputPath(shuffle, 1))).isPresent();
    }

    @Test
    void theDriverWhoFindsTheDirectoryGoneMakesItAnewAtOnce() throws Exception {
        SparkConf conf = configuration(cluster.namenode());
        try (StoreLease driver = begin(conf)) {
            ApplicationStore store = driver.store();
            cluster.client().delete(store.directory(), true);
            writeEmpty(store, 0);
            cluster.client().delete(store.directory(), true);
            store.createFile(store.directory() + "/broadcast-1", 0).close();
            assertThat(cluster.client().status(store.directory()).remainingMillis()).isPositive();
            store.removeAll();
            assertThatThrownBy(() -> writeEmpty(store, 0)).isInstanceOf(NoSuchNodeException.class);
            assertThat(cluster.client().lookup(store.directory())).isEmpty();
        }
    }

    @Test
    void anExecutorHasTheDirectoryMadeAnewByTheDriver() throws Exception {
        SparkConf conf = configuration(cluster.namenode());
        try (StoreLease driver = begin(conf);
                StoreLease executor = new ApplicationStores().join(conf)) {
            ApplicationStore store = executor.store();
            cluster.client().delete(store.directory(), true);
            assertThatThrownBy(() -> writeEmpty(store, 0)).isInstanceOf(NoSuchNodeException.class);
            assertThat(cluster.client().lookup(store.directory())).isEmpty();
            List<LostOutputs> heard = new ArrayList<>();
            store.driver(
                    lost -> {
                        heard.add(lost);
                        driver.store().renewDirectory();
                    });
            writeEmpty(store, 5);
            assertThat(heard).containsExactly(new LostOutputs(5, List.of()));
            driver.store().removeAll();
            assertThatThrownBy(() -> writeEmpty(store, 5)).isInstanceOf(NoSuchNodeException.class);
            assertThat(cluster.client().lookup(store.directory())).isEmpty();
        }
    }

    @Test
    void manyThatJoinAtOnceShareOneStore() throws Exception {
        SparkConf conf = configuration(cluster.namenode());
        StoreLease driver = begin(conf);
        ApplicationStores elsewhere = new ApplicationStores();
        List<Future<StoreLease>> joining = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            joining.add(threads.submit(() -> elsewhere.join(conf)));
        }
        List<StoreLease> joined = new ArrayList<>();
        for (Future<StoreLease> each : joining) {
            joined.add(each.get());
        }
        assertThat(joined).extracting(StoreLease::store).containsOnly(joined.get(0).store());
        joined.subList(1, joined.size()).forEach(StoreLease::close);
        joined.get(0).store().client().ping();
        joined.get(0).close();
        driver.store().removeAll();
        driver.close();
    }

    @Test
    void whoLeavesDoesNotWaitForOneWhoCannotConnect() throws Exception {
        SparkConf conf = configuration(cluster.namenode());
        StoreLease leaving = begin(conf);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SparkConf other = configuration("127.0.0.1:" + silent.getLocalPort());
            CrailSettings.setApplicationDirectory(other, "/spark/other");
            // Longer than this test may take.
            other.set("spark.crail.client.deadline", "10min");
            Future<StoreLease> joining = threads.submit(() -> stores.join(other));
            try (Socket unanswered = silent.accept()) {
                assertThat(unanswered.isConnected()).isTrue();
                CompletableFuture.runAsync(leaving::close, threads).get();
                assertThat(joining).isNotDone();
                joining.cancel(true);
            }
        }
    }
}
