// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stays of an application that ends otherwise than most: nothing, and nobody waits long. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EndTest {
    private static final int TIMEOUT_SECONDS = 4;

    private EmbeddedCluster cluster;

    /** Cannot begin on the driver. */
    public static final class BrokenOnDriver implements SparkPlugin {
        /** As Spark makes it. */
        public BrokenOnDriver() {}

        @Override
        public DriverPlugin driverPlugin() {
            return new DriverPlugin() {
                @Override
                public Map<String, String> init(SparkContext spark, PluginContext context) {
                    throw new IllegalStateException("a plug-in that cannot begin");
                }
            };
        }

        @Override
        public @Nullable ExecutorPlugin executorPlugin() {
            return null;
        }
    }

    /** Cannot begin on executors. */
    public static final class BrokenOnExecutor implements SparkPlugin {
        /** As Spark makes it. */
        public BrokenOnExecutor() {}

        @Override
        public @Nullable DriverPlugin driverPlugin() {
            return null;
        }

        @Override
        public ExecutorPlugin executorPlugin() {
            return new ExecutorPlugin() {
                @Override
                public void init(PluginContext context, Map<String, String> extra) {
                    throw new IllegalStateException("a plug-in that cannot begin");
                }
            };
        }
    }

    @BeforeEach
    void start() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(1).capacity(64L << 20).start();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private SparkConf configuration() throws IOException {
        return TestApplication.configuration("local[1]", cluster.namenode());
    }

    private boolean anApplicationIsLeft() throws CrailException {
        if (cluster.client().lookup("/spark").isEmpty()) {
            return false;
        }
        CrailIterator<DirectoryEntry> applications = cluster.client().list("/spark");
        return applications.hasNext();
    }

    private static boolean aThreadIsLeft() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("crail-application"));
    }

    /**
     * A process that goes on when Spark could not start. Not that of the tests: Spark leaves the
     * heart of an executor beating, which ends its process when nobody has answered for long.
     */
    static final class Survivor {
        private static final String REFUSED = "refused: ";
        private static final String AT_REST = "at rest";

        private Survivor() {}

        /**
         * Tries to start an application, and waits until nothing of crail is left.
         *
         * @param arguments the namenode, and the class of the other plug-in
         */
        public static void main(String[] arguments) throws IOException {
            SparkConf conf =
                    TestApplication.configuration("local[1]", arguments[0])
                            .set(
                                    "spark.plugins",
                                    CrailSparkPlugin.class.getName() + "," + arguments[1])
                            .set("spark.network.timeout", TIMEOUT_SECONDS + "s")
                            .set("spark.crail.client.session.timeout", TIMEOUT_SECONDS + "s")
                            .set("spark.storage.blockManagerHeartbeatTimeoutMs", "120000")
                            .set("spark.executor.heartbeatInterval", "1s");
            try (JavaSparkContext started = new JavaSparkContext(conf)) {
                System.out.println("started: " + started.sc().applicationId());
            } catch (IllegalStateException e) {
                System.out.println(REFUSED + e.getMessage());
            }
            await().atMost(Duration.ofSeconds(5 * TIMEOUT_SECONDS)).until(() -> !aThreadIsLeft());
            System.out.println(AT_REST);
            var unused = System.in.read(); // Until the test has looked.
            System.exit(0);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {BrokenOnDriver.class, BrokenOnExecutor.class})
    void nothingStaysWhenAnotherPlugInCannotBegin(Class<?> other, @TempDir Path directory)
            throws IOException {
        Process process = survivor(other, directory);
        try (BufferedReader said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo(Survivor.REFUSED + "a plug-in that cannot begin");
            assertThat(said.readLine()).isEqualTo(Survivor.AT_REST);
            assertThat(process.isAlive()).isTrue();
            assertThat(anApplicationIsLeft()).isFalse();
        } finally {
            process.destroyForcibly();
        }
    }

    private Process survivor(Class<?> other, Path directory) throws IOException {
        List<String> command = DriverProcess.command(Survivor.class, directory);
        command.addAll(List.of(cluster.namenode(), other.getName()));
        return new ProcessBuilder(command).redirectError(directory.resolve("log").toFile()).start();
    }

    @Test
    @SuppressWarnings("NullAway") // Spark's own way to say that there is no environment.
    void nothingStaysWhenThePlugInItselfFailsHalfWay() throws IOException {
        try (JavaSparkContext spark =
                new JavaSparkContext(TestApplication.withoutCrail("local[1]"))) {
            spark.sc().conf().set("spark.crail.namenodes", cluster.namenode());
            SparkEnv env = SparkEnv.get();
            // Broadcasts cannot be taken over then, and the directory is made before.
            SparkEnv.set(null);
            try {
                DriverPlugin plugin = new CrailSparkPlugin().driverPlugin();
                assertThatThrownBy(() -> plugin.init(spark.sc(), null))
                        .isInstanceOf(NullPointerException.class);
            } finally {
                SparkEnv.set(env);
            }
            assertThat(cluster.client().lookup("/spark")).isPresent();
            assertThat(anApplicationIsLeft()).isFalse();
            await().until(() -> !aThreadIsLeft());
        }
    }

    @Test
    void whoStopsWaitsOnceForANamenodeThatIsGone() throws IOException {
        JavaSparkContext spark =
                new JavaSparkContext(configuration().set("spark.crail.client.deadline", "2s"));
        cluster.close();
        try (Warnings warnings = Warnings.of(ApplicationStore.class.getName())) {
            long begun = System.nanoTime();
            spark.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isLessThan(Duration.ofSeconds(10));
            assertThat(warnings.texts())
                    .filteredOn(text -> text.contains("was not removed"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("goes by itself within");
        }
    }
}
