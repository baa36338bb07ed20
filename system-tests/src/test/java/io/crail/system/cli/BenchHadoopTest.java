// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmark starts an HDFS for itself, of which nothing stays. */
@Tag("hadoop")
@Timeout(150)
class BenchHadoopTest extends InOwnState {
    private static final String SERVER = "io.crail.bench.hdfs.HdfsPeerMain";

    private static List<Map<String, @Nullable Object>> results(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(JsonText::object).toList();
    }

    /** Where a server of HDFS has its files: the argument after its role. */
    private static Path files(ProcessHandle server) {
        List<String> arguments = List.of(server.info().arguments().orElseThrow());
        return Path.of(arguments.get(arguments.indexOf(SERVER) + 2));
    }

    private static List<ProcessHandle> awaitServers(Command run) {
        run.await(() -> run.descendants(SERVER).size() == 2);
        assertThat(run.isAlive()).as(run.err()).isTrue();
        return run.descendants(SERVER);
    }

    @Test
    void rowsAreMeasuredBesideHdfsOfWhichNothingIsLeft() throws IOException {
        Path file = directory.resolve("results.json");
        try (Command run =
                Command.start(
                        directory,
                        "bench",
                        "hadoop",
                        "--quick",
                        "--rows",
                        "stat,write_1k",
                        "--json",
                        file.toString())) {
            List<ProcessHandle> servers = awaitServers(run);
            List<Path> files = servers.stream().map(BenchHadoopTest::files).toList();
            assertThat(run.awaitEnd()).as(run.err()).isZero();
            assertThat(servers).noneMatch(State::runs);
            assertThat(files).noneMatch(Files::exists);
            assertThat(run.out()).containsPattern("stat +free .* HDFS 3\\.");
        }
        assertThat(results(file))
                .hasSize(2)
                .allSatisfy(
                        row ->
                                assertThat(row)
                                        .containsKeys("value", "ratio", "spread", "load", "met")
                                        .containsEntry("unit", "1/s")
                                        .containsEntry("runs", 3.0));
        assertThat(results(file).get(1)).containsEntry("target", ">= 30.00");
        assertThat(state.processes()).isEmpty();
    }

    @Test
    void hdfsEndsWithABenchmarkThatIsKilled() {
        try (Command run =
                Command.start(
                        directory,
                        "bench",
                        "hadoop",
                        "--quick",
                        "--rows",
                        "stat,list,write_1k,pread_4k")) {
            List<ProcessHandle> servers = awaitServers(run);
            List<Path> files = servers.stream().map(BenchHadoopTest::files).toList();
            run.kill();
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> servers.stream().noneMatch(State::runs));
            assertThat(files).noneMatch(Files::exists);
        }
    }

    @Test
    void whatNeedsNoHdfsIsMeasuredWithoutIt() throws IOException {
        Path file = directory.resolve("results.json");
        Command run =
                Command.run(
                        directory,
                        "bench",
                        "hadoop",
                        "--quick",
                        "--without-hdfs",
                        "--rows",
                        "overhead_stat,stat",
                        "--json",
                        file.toString());
        assertThat(run.status()).as(run.err()).isZero();
        List<Map<String, @Nullable Object>> rows = results(file);
        assertThat(rows.get(0))
                .containsEntry("row", "overhead_stat")
                .containsEntry("setting", "one-core")
                .containsEntry("unit", "us")
                .containsEntry("target", "<= 5.00 more");
        assertThat(rows.get(rows.size() - 1))
                .containsEntry("row", "stat")
                .containsEntry("skipped", "without HDFS");
        assertThat(state.processes()).isEmpty();
    }
}
