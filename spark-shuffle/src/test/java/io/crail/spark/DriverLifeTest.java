// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that are stopped and killed; each is a process, and so are its executors. */
@Tag("spark")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class DriverLifeTest {
    private static final int TIMEOUT_SECONDS = 4;

    @TempDir Path directory;

    private EmbeddedCluster cluster;
    private CrailClient client;

    @BeforeEach
    void start() throws IOException {
        cluster = EmbeddedCluster.builder().servers(2).capacity(64L << 20).start();
        client = cluster.client();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** What crail derives its time from is short; what Spark would do about it is not. */
    private static Map<String, String> withShortTimeout() {
        Map<String, String> settings = new HashMap<>();
        settings.put("spark.network.timeout", TIMEOUT_SECONDS + "s");
        settings.put("spark.crail.client.session.timeout", TIMEOUT_SECONDS + "s");
        settings.put("spark.executor.heartbeatInterval", "1s");
        settings.put("spark.storage.blockManagerHeartbeatTimeoutMs", "120000");
        for (String each :
                List.of(
                        "spark.rpc.askTimeout",
                        "spark.rpc.lookupTimeout",
                        "spark.rpc.io.connectionTimeout",
                        "spark.shuffle.io.connectionTimeout",
                        "spark.files.io.connectionTimeout")) {
            settings.put(each, "120s");
        }
        return settings;
    }

    private DriverProcess start(String name, String master, Map<String, String> settings)
            throws IOException {
        Path home = Files.createDirectory(directory.resolve(name));
        return DriverProcess.start(home, master, cluster.namenode(), settings);
    }

    private boolean exists(String path) throws CrailException {
        return client.lookup(path).isPresent();
    }

    private List<String> applications() throws CrailException {
        return names("/spark");
    }

    private List<String> names(String path) throws CrailException {
        List<String> names = new ArrayList<>();
        CrailIterator<DirectoryEntry> entries = client.list(path);
        while (entries.hasNext()) {
            names.add(entries.next().name());
        }
        return names;
    }

    /** Bytes that belong to something. */
    private long committed() throws CrailException {
        return client.statistics().classes().stream().mapToLong(each -> each.committed()).sum();
    }

    @Test
    void aDriverThatIsKilledLeavesNothingBehind() throws IOException {
        try (DriverProcess driver =
                start("killed", TestApplication.TWO_EXECUTORS, withShortTimeout())) {
            String root = driver.directory();
            driver.awaitMaps();
            assertThat(committed()).isPositive();
            driver.kill();
            await().atMost(Duration.ofMinutes(1)).until(() -> !exists(root));
            await().atMost(Duration.ofSeconds(30)).until(() -> committed() == 0);
        }
    }

    @Test
    void aDriverThatIsStoppedInTheMiddleOfAJobLosesNothingWhileAnExecutorLives()
            throws IOException {
        pauseFor(Duration.ofSeconds(2 * TIMEOUT_SECONDS), withShortTimeout());
    }

    @Test
    @Tag("long")
    void aDriverThatIsStoppedForAMinuteLosesNothing() throws IOException {
        // The master of a local cluster is stopped, too, and would give its workers up.
        pauseFor(Duration.ofMinutes(1), Map.of("spark.worker.timeout", "300"));
    }

    private void pauseFor(Duration pause, Map<String, String> settings) throws IOException {
        try (DriverProcess driver = start("paused", TestApplication.TWO_EXECUTORS, settings)) {
            String root = driver.directory();
            driver.awaitMaps();
            driver.pause();
            // The time itself is the condition: all the while, everything has to be there.
            await().during(pause)
                    .atMost(pause.plusSeconds(30))
                    .until(() -> client.summary(root).files() == DriverMain.MAPS);
            driver.letReduce();
            driver.resume();
            assertThat(driver.result())
                    .isEqualTo(
                            new DriverProcess.Result(
                                    DriverProcess.Result.RIGHT_SUM, DriverMain.MAPS, 0));
            driver.end();
            assertThat(exists(root)).isFalse();
        }
    }

    @Test
    void aDriverWithoutExecutorsThatSleptThroughItsTimeComputesAgain() throws IOException {
        try (DriverProcess driver = start("slept", TestApplication.LOCAL, withShortTimeout())) {
            String root = driver.directory();
            driver.awaitMaps();
            driver.pause();
            await().atMost(Duration.ofMinutes(1)).until(() -> !exists(root));
            driver.letReduce();
            driver.resume();
            DriverProcess.Result result = driver.result();
            assertThat(result.sum()).isEqualTo(DriverProcess.Result.RIGHT_SUM);
            driver.end();
            assertThat(exists(root)).isFalse();
        }
    }

    @Test
    @Tag("long")
    void applicationsOfTheSameNameAndUserDoNotTouchEachOther() throws IOException {
        Map<String, String> settings = withShortTimeout();
        try (DriverProcess first = start("first", "local[2]", settings);
                DriverProcess second = start("second", "local[2]", settings);
                DriverProcess third = start("third", "local[2]", settings)) {
            String root = third.directory();
            first.awaitMaps();
            second.awaitMaps();
            third.awaitMaps();
            assertThat(applications()).hasSize(3);
            first.letReduce();
            assertThat(first.result().sum()).isEqualTo(DriverProcess.Result.RIGHT_SUM);
            first.end();
            second.kill();
            String killed = second.directory();
            await().atMost(Duration.ofMinutes(1)).until(() -> !exists(killed));
            assertThat(applications()).containsExactly(root.substring("/spark/".length()));
            third.letReduce();
            assertThat(third.result())
                    .isEqualTo(
                            new DriverProcess.Result(
                                    DriverProcess.Result.RIGHT_SUM, DriverMain.MAPS, 0));
            third.end();
            assertThat(applications()).isEmpty();
        }
    }

    private DriverProcess startBroadcasting(String name, long seed) throws IOException {
        Map<String, String> settings = withShortTimeout();
        settings.put("spark.crail.broadcast.minSize", "1m");
        settings.put(BroadcastJob.SEED, Long.toString(seed));
        return start(name, "local[2]", settings);
    }

    @Test
    @Tag("long")
    void broadcastsOfApplicationsDoNotTouchEachOther() throws IOException {
        try (DriverProcess first = startBroadcasting("first", 1);
                DriverProcess second = startBroadcasting("second", 2);
                DriverProcess third = startBroadcasting("third", 3)) {
            first.awaitReader();
            second.awaitReader();
            third.awaitReader();
            String root = third.directory();
            List<String> files = names(root);
            assertThat(files).hasSize(1).allMatch(name -> name.startsWith("broadcast-"));
            assertThat(names(first.directory())).isEqualTo(files);
            assertThat(names(second.directory())).isEqualTo(files);
            first.letReduce();
            assertThat(first.result().sum()).isEqualTo(BroadcastJob.rightSum(1));
            first.end();
            second.kill();
            String killed = second.directory();
            await().atMost(Duration.ofMinutes(1)).until(() -> !exists(killed));
            assertThat(applications()).containsExactly(root.substring("/spark/".length()));
            assertThat(names(root)).isEqualTo(files);
            third.letReduce();
            assertThat(third.result())
                    .isEqualTo(new DriverProcess.Result(BroadcastJob.rightSum(3), 0, 0));
            third.end();
            assertThat(applications()).isEmpty();
        }
    }

    @Test
    void anExecutorThatIsKilledInTheMiddleOfAJobTakesNoOutputAlong() throws IOException {
        try (DriverProcess driver =
                start("executors", TestApplication.TWO_EXECUTORS, withShortTimeout())) {
            driver.awaitMaps();
            List<ProcessHandle> executors = driver.executors();
            assertThat(executors).hasSize(2);
            assertThat(executors.get(0).destroyForcibly()).isTrue();
            driver.letReduce();
            DriverProcess.Result result = driver.result();
            assertThat(result.sum()).isEqualTo(DriverProcess.Result.RIGHT_SUM);
            assertThat(result.mapTasks()).isEqualTo(DriverMain.MAPS);
            driver.end();
        }
    }

    @Test
    void aStorageServerThatIsKilledCostsItsOutputsOnly() throws IOException {
        cluster.close();
        cluster =
                EmbeddedCluster.builder()
                        .servers(1)
                        .capacity(64L << 20)
                        .namenode(namenode -> namenode.deadServerTime(Duration.ofSeconds(3)))
                        .start();
        client = cluster.client();
        Path home = Files.createDirectory(directory.resolve("storage"));
        try (StorageProcess storage = StorageProcess.start(home, cluster.namenode(), 64 << 20);
                DriverProcess driver =
                        start("storage-lost", TestApplication.TWO_EXECUTORS, withShortTimeout())) {
            String root = driver.directory();
            driver.awaitMaps();
            assertThat(serversOf(root + "/0")).hasSize(2);
            storage.kill();
            driver.letReduce();
            DriverProcess.Result result = driver.result();
            assertThat(result.sum()).isEqualTo(DriverProcess.Result.RIGHT_SUM);
            assertThat(result.mapTasks()).isBetween(DriverMain.MAPS + 1, 2 * DriverMain.MAPS);
            driver.end();
        }
    }

    /** Storage servers that have something of the files in a directory. */
    private Set<Integer> serversOf(String path) throws CrailException {
        Set<Integer> servers = new HashSet<>();
        CrailIterator<DirectoryEntry> entries = client.list(path);
        while (entries.hasNext()) {
            client.locations(path + "/" + entries.next().name())
                    .forEach(each -> servers.add(each.server()));
        }
        return servers;
    }
}
