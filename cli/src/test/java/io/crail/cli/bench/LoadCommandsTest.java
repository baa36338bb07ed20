// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** General benchmarks of a cluster that exists. */
class LoadCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    @TempDir private Path directory;

    @Test
    void anExistingClusterIsMeasuredAndNothingIsLeftInIt() throws IOException {
        Path file = directory.resolve("results.json");
        Run run =
                CLUSTER.run(
                        "bench",
                        "metadata",
                        "--quick",
                        "--operations",
                        "create,delete,list-all",
                        "--transport=tcp",
                        "--processes=1",
                        "--threads=2",
                        "--depth=3",
                        "--path-depth=5",
                        file.toString());
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("the limits are those of this machine")
                .contains("3 of 3  list-all: tcp, 2 threads, depth 1, free");
        assertThat(run.out())
                .containsPattern("ROW +SETTING +CRAIL +LIMIT +UNIT +RATIO +SPREAD +P50 +P99")
                .containsPattern("create +tcp, 2 threads, depth 3, free +[0-9.,]+ +[0-9.,]+ +1/s ");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1))
                .startsWith("{\"row\": \"delete\", \"value\": ")
                .containsPattern("\"latency\": \\{\"p50\": [0-9.]+, \"p99\": [0-9.]+,");
        assertThat(CLUSTER.run("fs", "ls", "/").out()).doesNotContain("bench");
    }

    @Test
    void dataAndValuesOfAnExistingClusterAreMeasured() {
        Run data =
                CLUSTER.run(
                        "bench",
                        "data",
                        "--quick",
                        "--file-size=4MiB",
                        "--sizes=64KiB",
                        "--transport=tcp",
                        "--depth=1,4",
                        "--checksums=off",
                        "--json");
        assertThat(data.status()).as(data.err()).isZero();
        assertThat(data.out().lines()).hasSize(8).allMatch(line -> line.contains("\"GB/s\""));
        Run kv =
                CLUSTER.run(
                        "bench",
                        "kv",
                        "--quick",
                        "--sizes=100B,100KiB",
                        "--threads=2",
                        "--transport=tcp",
                        "--values=3",
                        "--json");
        assertThat(kv.status()).as(kv.err()).isZero();
        assertThat(kv.out().lines())
                .hasSize(8)
                .anyMatch(line -> line.contains("\"tcp, 100 KiB x 3, 2 threads, free\""));
    }

    @Test
    void badOptionsAreRefusedBeforeAnythingIsStarted() {
        for (String[] command :
                new String[][] {
                    {"bench", "metadata", "--depth", "0"},
                    {"bench", "metadata", "--threads", "1000"},
                    {"bench", "data", "--sizes", "many"},
                    {"bench", "kv", "--transport", "shm"},
                    {"bench", "kv", "--seconds", "0"},
                    {"bench", "kv", "--setting", "three-core"},
                    {"bench", "data", "--setting", "one-core", "--namenode", "localhost:1"},
                }) {
            Run run = Run.of(command);
            assertThat(run.status()).as(String.join(" ", command)).isEqualTo(2);
            assertThat(run.err()).contains(command[2], command[3]).doesNotContain("starting");
        }
    }
}
