// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar of the plug-in, handed to spark-submit as docs/spark.md says. */
@Tag("spark")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class SparkPluginJarTest {
    private final JarContents jar = JarContents.spark();

    @TempDir private Path state;

    @Test
    void itHoldsNothingButCrail() throws IOException {
        assertThat(jar.others())
                .containsExactlyInAnyOrder(
                        "META-INF/MANIFEST.MF",
                        "META-INF/services/io.crail.client.spi.DataPathProvider",
                        "META-INF/services/io.crail.client.spi.RpcTransportProvider",
                        "META-INF/services/io.crail.nvmf.fabric.FabricProvider");
        assertThat(jar.classes())
                .contains("io/crail/client/CrailClient.class")
                .contains("io/crail/spark/CrailSparkPlugin.class")
                .noneMatch(name -> name.matches("io/crail/(namenode|storage|cluster|cli)/.*"));
        assertThat(Files.size(jar.path())).isLessThan(2 << 20);
    }

    @Test
    void executorsNeedNothingButTheJarOfTheSubmission() throws IOException, InterruptedException {
        try (ServerProcesses servers = ServerProcesses.start(state)) {
            String printed =
                    new SparkSubmission(state)
                            .option("--master", "local-cluster[2,1,1024]")
                            .option("--jars", jar.path().toString())
                            .set("spark.plugins", "io.crail.spark.CrailSparkPlugin")
                            .set("spark.crail.namenodes", servers.uri().getAuthority())
                            .set("spark.driver.host", "127.0.0.1")
                            .set("spark.driver.bindAddress", "127.0.0.1")
                            // Map statuses are broadcast, too; executors look for their
                            // classes where those of the jar are not found.
                            .set("spark.shuffle.mapOutput.minSizeForBroadcast", "1")
                            .set("spark.crail.broadcast.minSize", "0")
                            .run(SubmittedShuffles.class);
            assertThat(printed)
                    .contains("manager: io.crail.spark.CrailShuffleManager")
                    .contains("group 99 has 50049000")
                    .contains("letters: 2088890")
                    .contains("broadcast: io.crail.spark.broadcast.CrailBroadcast");
        }
    }
}
