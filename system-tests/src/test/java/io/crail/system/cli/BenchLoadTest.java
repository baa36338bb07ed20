// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.bench.measure.Cores;
import io.crail.client.local.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The general benchmarks: what they show has its form, whatever the machine can do. */
@Tag("system")
@Timeout(180)
class BenchLoadTest extends InOwnState {
    /** Measures on two cores; the rows with their settings. */
    private List<String> measure(String command) throws IOException {
        int[] cores = Cores.parse(Cores.allowed());
        String two = cores[0] + "," + cores[Math.min(1, cores.length - 1)];
        Path file = directory.resolve("results.json");
        Command run =
                Command.script(
                        directory,
                        "taskset -p -c " + two + " $$ >&2\ncrail " + command + " --json " + file);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("LIMIT OF");
        assertThat(state.processes()).isEmpty();
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            Map<String, @Nullable Object> row = JsonText.object(line);
            assertFigures(row);
            rows.add(row.get("row") + ": " + row.get("setting"));
        }
        return rows;
    }

    private static void assertFigures(Map<String, @Nullable Object> row) {
        assertThat(row).as("%s", row).doesNotContainKey("skipped");
        for (String name : List.of("value", "limit", "ratio", "runs")) {
            assertThat(number(row.get(name))).as("%s of %s", name, row).isFinite().isPositive();
        }
        for (String name : List.of("load", "cpuMicros")) {
            assertThat(number(row.get(name))).as("%s of %s", name, row).isFinite().isNotNegative();
        }
        List<?> spread = (List<?>) Objects.requireNonNull(row.get("spread"));
        double ratio = number(row.get("ratio"));
        assertThat(ratio).isBetween(number(spread.get(0)), number(spread.get(1)));
        Map<?, ?> latency = (Map<?, ?>) Objects.requireNonNull(row.get("latency"));
        assertThat(number(latency.get("p50")))
                .isPositive()
                .isLessThanOrEqualTo(number(latency.get("p99")));
        assertThat(number(latency.get("p99"))).isLessThanOrEqualTo(number(latency.get("p999")));
        assertThat(row.get("void")).isInstanceOf(Boolean.class);
        assertThat((String) row.get("limitOf")).isNotBlank();
    }

    private static double number(@Nullable Object value) {
        return (Double) Objects.requireNonNull(value);
    }

    @Test
    void everyRowOfMetadataHasFiguresWithProcessesAndThreads() throws IOException {
        List<String> rows =
                measure(
                        "bench metadata --quick --processes 1,2 --threads 2 --depth 1,4"
                                + " --entries 50 --page 10 --path-depth 4");
        assertThat(rows).hasSize(2 * 2 * (4 * 2 + 1)).doesNotHaveDuplicates();
        assertThat(rows)
                .contains(
                        "lookup: unix, 2 threads, depth 1, free",
                        "create: tcp, 2 x 2 threads, depth 4, free");
    }

    @Test
    void everyRowOfDataHasFiguresOverBothTransports() throws IOException {
        List<String> rows =
                measure(
                        "bench data --quick --sizes 4KiB,1MiB --depth 1,4 --checksums on,off"
                                + " --file-size 8MiB");
        assertThat(rows).hasSize(2 * 2 * 4 * 2 * 2).doesNotHaveDuplicates();
        assertThat(rows)
                .contains(
                        "seq-read: shm, 4 KiB, depth 1, free",
                        "random-write: tcp, 1 MiB, depth 4, checksums off, free");
    }

    @Test
    void everyRowOfValuesHasFigures() throws IOException {
        List<String> rows = measure("bench kv --quick --sizes 100B,100KiB --threads 1,2");
        assertThat(rows).hasSize(2 * 4 * 2 * 2).doesNotHaveDuplicates();
        assertThat(rows)
                .contains(
                        "put: unix, 100 B, 1 thread, free",
                        "multi-get: tcp, 100 KiB x 16, 2 threads, free");
    }

    @Test
    void allProcessesAreConfinedToTheCoresOfTheSettingAndFreeAgain() throws IOException {
        Path file = directory.resolve("results.json");
        Command run =
                Command.run(
                        directory,
                        "bench",
                        "metadata",
                        "--quick",
                        "--operations=lookup",
                        "--transport=tcp",
                        "--processes=1,2",
                        "--threads=1",
                        "--depth=1",
                        "--entries=10",
                        "--setting=one-core,two-core",
                        "-Dclient.busy-poll=false",
                        file.toString());
        assertThat(run.status()).as(run.err()).isZero();
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            Map<String, @Nullable Object> row = JsonText.object(line);
            assertFigures(row);
            rows.add(row.get("setting") + ": " + row.get("limitOf"));
        }
        assertThat(rows)
                .containsExactly(
                        "tcp, 1 thread, depth 1, one-core, client.busy-poll=false: blocking ping-pong",
                        "tcp, 2 x 1 thread, depth 1, one-core, client.busy-poll=false:"
                                + " blocking ping-pong",
                        "tcp, 1 thread, depth 1, two-core, client.busy-poll=false: spinning ping-pong",
                        "tcp, 2 x 1 thread, depth 1, two-core, client.busy-poll=false:"
                                + " blocking ping-pong");
    }

    @Test
    void aRunThatIsKilledTakesItsServersAndTheirFilesWithIt() {
        try (Command run =
                Command.start(
                        directory,
                        "bench",
                        "metadata",
                        "--seconds",
                        "60",
                        "--processes",
                        "2",
                        "--operations",
                        "create")) {
            run.await(() -> !run.descendants("member").isEmpty());
            List<ProcessHandle> all = new ArrayList<>(run.descendants("member"));
            List<ProcessHandle> servers = state.processes();
            assertThat(servers).hasSize(2);
            all.addAll(servers);
            String cluster = "bench-" + run.pid();
            assertThat(State.sharedMemory(cluster)).isNotEmpty();
            run.kill();
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> all.stream().noneMatch(State::runs));
            assertThat(state.clusters()).isEmpty();
            assertThat(State.sharedMemory(cluster)).isEmpty();
        }
    }

    @Test
    void anInterruptedRunLeavesNothingInAnExistingCluster() {
        Command start = Command.run(directory, "cluster", "start", "--capacity", "64MiB");
        assertThat(start.status()).as(start.err()).isZero();
        String namenode = "--namenode=" + namenode();
        try (Command run =
                Command.start(
                        directory,
                        "bench",
                        "metadata",
                        "--seconds",
                        "60",
                        "--processes",
                        "2",
                        "--operations",
                        "create",
                        namenode)) {
            run.await(() -> !run.descendants("member").isEmpty());
            List<ProcessHandle> members = run.descendants("member");
            assertThat(members).hasSize(1);
            assertThat(Command.run(directory, "fs", "ls", "/", namenode).out()).contains("bench-");
            run.interrupt();
            assertThat(run.awaitEnd()).isEqualTo(130);
            assertThat(members).noneMatch(State::runs);
        }
        assertThat(Command.run(directory, "fs", "ls", "/", namenode).out())
                .doesNotContain("bench-");
        assertThat(Command.run(directory, "cluster", "stop").status()).isZero();
    }

    private String namenode() {
        LocalCluster cluster =
                LocalCluster.read(directory.resolve("crail").resolve(LocalCluster.DEFAULT));
        return Objects.requireNonNull(cluster).namenode().toString();
    }
}
