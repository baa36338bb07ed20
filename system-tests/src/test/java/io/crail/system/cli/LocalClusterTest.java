// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.terminal.JsonLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** crail cluster, and servers and clients as processes. */
@Tag("system")
@Timeout(180)
class LocalClusterTest extends InOwnState {
    private Command crail(String... arguments) {
        return Command.run(directory, arguments);
    }

    private void start() {
        Command start = crail("cluster", "start", "--servers", "2", "--capacity", "32MiB");
        assertThat(start.status()).as(start.err()).isZero();
    }

    @Test
    void aClusterIsStartedUsedAndStopped() {
        start();
        assertThat(state.processes()).hasSize(3);
        Command status = crail("cluster", "status");
        assertThat(status.status()).isZero();
        String running = " +running +\\d+ +127.0.0.1:\\d+ +http://127.0.0.1:\\d+ +00:0";
        assertThat(status.out())
                .containsPattern("namenode +namenode" + running)
                .containsPattern("storage-1 +storage" + running);
        String file = Path.of(System.getProperty("crail.home"), "README.md").toString();
        assertThat(crail("fs", "put", file, "/").status()).isZero();
        assertThat(crail("fs", "ls", "/").out()).isEqualTo("README.md\n");
        List<ProcessHandle> processes = state.processes();
        assertThat(crail("cluster", "stop").status()).isZero();
        assertThat(processes).noneMatch(State::runs);
        assertThat(state.clusters()).isEmpty();
    }

    @Test
    void operatorsSeeItWithoutConfiguration() {
        start();
        Command top = crail("top", "--once");
        assertThat(top.err()).isEmpty();
        assertThat(top.out())
                .containsPattern("(?m)^ +1 +live +0 +0 +0 ")
                .containsPattern("(?m)^ +2 +live +0 +0 +0 ")
                .containsPattern("(?m)^statistics +[0-9.]+ ");
        Command report = crail("admin", "report");
        assertThat(report.status()).isZero();
        assertThat(report.out()).containsPattern("(?m)^ +2 +live +dram +0 +32 MiB ");
        Command doctor = crail("doctor", "-D", "namenode.metadata.dir=" + directory);
        assertThat(doctor.out().replaceAll("\\s+", " "))
                .contains("namenode: Unix socket /")
                .contains("storage server 2 (")
                .contains("shared memory in /")
                .doesNotContain("warning versions");
    }

    @Test
    void aClusterWithFlashTakesMoreThanMemoryHoldsAndKeepsIt() throws IOException {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        String[] start = {
            "cluster", "start", "--capacity=8MiB", "--flash=64MiB", "--flash-dir=" + disk
        };
        Command started = crail(start);
        assertThat(started.status()).as(started.err()).isZero();
        assertThat(state.processes()).hasSize(3);
        assertThat(crail("cluster", "status").out()).containsPattern("flash +storage +running");
        assertThat(crail("admin", "report").out())
                .containsPattern("(?m) live +dram +0 ")
                .containsPattern("(?m) live +nvmf +1 ");
        byte[] content = new byte[20 << 20];
        new Random(1).nextBytes(content);
        Path file = Files.write(directory.resolve("large"), content);
        Command put = crail("fs", "put", file.toString(), "/");
        assertThat(put.status()).as(put.err()).isZero();
        assertThat(crail("cluster", "stop", "--keep-data").status()).isZero();
        assertThat(crail("cluster", "start").status()).isZero();
        assertThat(state.processes()).hasSize(3);
        Path copy = directory.resolve("copy");
        Command get = crail("fs", "get", "/large", copy.toString());
        assertThat(get.status()).as(get.err()).isZero();
        assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
        assertThat(crail("cluster", "stop").status()).isZero();
        assertThat(disk).isEmptyDirectory();
    }

    @Test
    void aFlashServerThatNamesNoNamenodeJoinsTheClusterThatRuns() {
        start();
        Path file = directory.resolve("flash.img");
        try (Command server = flash(file, "--size=20MiB")) {
            server.await(() -> server.out().contains("crail storage ready on "));
            assertThat(server.isAlive()).as(server.err()).isTrue();
            assertThat(crail("admin", "report").out()).containsPattern("(?m) live +nvmf +1 ");
            server.terminate();
            server.awaitEnd();
        }
        // The file keeps its size.
        try (Command server = flash(file)) {
            server.await(() -> server.out().contains("crail storage ready on "));
            assertThat(server.isAlive()).as(server.err()).isTrue();
        }
    }

    private Command flash(Path file, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("storage", "--tier=nvmf", "--file=" + file, "--port=0"));
        arguments.addAll(List.of(more));
        return Command.start(directory, arguments.toArray(String[]::new));
    }

    @Test
    @Tag("long")
    void aFlashServerWithoutANamenodeMakesNoFile() {
        Path file = directory.resolve("flash.img");
        Command server =
                Command.run(
                        directory,
                        "storage",
                        "--tier=nvmf",
                        "--file=" + file,
                        "--size=20MiB",
                        "--namenode=127.0.0.1:1");
        assertThat(server.status()).isEqualTo(7);
        assertThat(server.err())
                .contains("127.0.0.1:1")
                .contains("trying for 60 s")
                .contains("--namenode");
        assertThat(file).doesNotExist();
    }

    @Test
    void logsForProgramsAreJsonOnEveryLine() throws IOException {
        Command started =
                crail(
                        "cluster",
                        "start",
                        "--capacity=32MiB",
                        "-Dnamenode.log.format=json",
                        "-Dstorage.log.format=json");
        assertThat(started.status()).as(started.err()).isZero();
        assertThat(crail("fs", "mkdir", "/secret-name").status()).isZero();
        Path cluster = directory.resolve("crail").resolve("default");
        for (String role : List.of("namenode", "storage")) {
            String name = role.equals("storage") ? "storage-0" : role;
            List<Map<String, Object>> lines =
                    Files.readAllLines(cluster.resolve(name + ".log")).stream()
                            .map(JsonLine::parse)
                            .toList();
            assertThat(lines).isNotEmpty();
            for (Map<String, Object> line : lines) {
                assertThat(Instant.parse(String.valueOf(line.get("timestamp")))).isNotNull();
                assertThat(line).containsKeys("level", "logger", "thread", "message");
                assertThat(line).containsEntry("role", role);
                assertThat(line.toString()).doesNotContain("secret-name");
            }
            assertThat(lines).anyMatch(line -> "1".equals(line.get("server")));
        }
    }

    /**
     * Clients in the session of the servers find them faster on a core that both share (ADR 11).
     */
    @Test
    void serversStayInTheSessionAndIgnoreWhatATerminalSends() throws Exception {
        start();
        List<ProcessHandle> processes = state.processes();
        for (ProcessHandle each : processes) {
            assertThat(session(each)).isEqualTo(session(ProcessHandle.current()));
            for (Map.Entry<String, Integer> signal :
                    Map.of("HUP", 1, "INT", 2, "TSTP", 20).entrySet()) {
                assertThat(ignores(each, signal.getValue())).as(signal.getKey()).isTrue();
                assertThat(signal(each, signal.getKey())).isZero();
            }
        }
        assertThat(crail("fs", "mkdir", "/d").status()).isZero();
        assertThat(state.processes()).isEqualTo(processes);
        assertThat(crail("cluster", "stop").status()).isZero();
        assertThat(processes).noneMatch(State::runs);
    }

    /**
     * Field 6 of proc_pid_stat(5). Field 2, the name, may hold anything, and ends with a bracket.
     */
    private static String session(ProcessHandle process) throws IOException {
        String stat = Files.readString(Path.of("/proc", process.pid() + "", "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[6 - 3];
    }

    private static boolean ignores(ProcessHandle process, int signal) throws IOException {
        String mask =
                Files.readAllLines(Path.of("/proc", process.pid() + "", "status")).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .map(line -> line.substring("SigIgn:".length()).strip())
                        .findFirst()
                        .orElseThrow();
        return (Long.parseUnsignedLong(mask, 16) >>> (signal - 1) & 1) == 1;
    }

    private static int signal(ProcessHandle process, String signal) throws Exception {
        return new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                .inheritIO()
                .start()
                .waitFor();
    }

    @Test
    void aSecondStartChangesNothing() {
        start();
        List<ProcessHandle> processes = state.processes();
        Command again = crail("cluster", "start");
        assertThat(again.status()).isEqualTo(4);
        assertThat(state.processes()).isEqualTo(processes);
        assertThat(crail("fs", "ls", "/").status()).isZero();
    }

    @Test
    void aKilledClusterIsStartedAgainWithItsData() {
        start();
        assertThat(crail("fs", "mkdir", "/kept").status()).isZero();
        String file = Path.of(System.getProperty("crail.home"), "LICENSE").toString();
        assertThat(crail("fs", "put", file, "/kept").status()).isZero();
        for (ProcessHandle process : state.processes()) {
            State.kill(process);
        }
        Command status = crail("cluster", "status");
        assertThat(status.status()).isEqualTo(7);
        assertThat(status.out()).containsPattern("namenode +namenode +dead +-");
        start();
        assertThat(crail("fs", "cat", "/kept/LICENSE").out()).contains("Apache License");
    }

    @Test
    void dataMayBeKeptOverAStopAndDiscardedByAStart() {
        start();
        assertThat(crail("fs", "mkdir", "/kept").status()).isZero();
        assertThat(crail("cluster", "stop", "--keep-data").status()).isZero();
        assertThat(state.processes()).isEmpty();
        start();
        assertThat(crail("fs", "ls", "/").out()).isEqualTo("kept\n");
        assertThat(crail("cluster", "stop", "--keep-data").status()).isZero();
        assertThat(crail("cluster", "start", "--format", "--capacity", "32MiB").status()).isZero();
        assertThat(crail("fs", "ls", "/").out()).isEmpty();
    }

    @Test
    void aStartThatFailsLeavesNothingRunning() {
        Command start =
                crail("cluster", "start", "--capacity", "32MiB", "-D", "storage.tier=nonsense");
        assertThat(start.status()).isNotZero();
        assertThat(start.err()).contains("nonsense");
        assertThat(state.processes()).isEmpty();
    }

    @Test
    void anInterruptedStartLeavesNothingRunning() {
        try (Command start = Command.start(directory, "cluster", "start", "--capacity", "32MiB")) {
            start.await(() -> state.process("namenode").isPresent());
            start.interrupt();
            assertThat(start.awaitEnd()).isEqualTo(130);
            assertThat(state.processes()).isEmpty();
        }
    }

    @Test
    void thereIsNothingToStopOrToShowWithoutACluster() {
        assertThat(crail("cluster", "stop").status()).isEqualTo(3);
        Command status = crail("cluster", "status");
        assertThat(status.status()).isEqualTo(3);
        assertThat(status.err())
                .contains("there is no cluster 'default'", "'crail cluster start'")
                .doesNotContain("crail fs ls");
    }

    @Test
    void aProcessThatGotTheSameIdLivesOn() throws Exception {
        start();
        Path pidFile = directory.resolve("crail/default/storage-0.pid");
        Process stranger = new ProcessBuilder("sleep", "300").start();
        try {
            ProcessHandle server = state.process("storage-0").orElseThrow();
            String mark = Files.readString(pidFile);
            Files.writeString(pidFile, stranger.pid() + mark.substring(mark.indexOf(' ')));
            assertThat(crail("cluster", "stop").status()).isZero();
            assertThat(stranger.isAlive()).isTrue();
            State.kill(server);
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void anEndedUploadLeavesNothingBehind() throws IOException {
        start();
        try (Command put = Command.start(directory, "fs", "put", "-", "/file")) {
            put.in().write("content".getBytes(StandardCharsets.UTF_8));
            put.in().flush();
            put.await(() -> crail("fs", "ls", "/").out().contains(".crail-"));
            put.terminate();
            assertThat(put.awaitEnd()).isEqualTo(143);
        }
        assertThat(crail("fs", "ls", "/").out()).isEmpty();
    }

    @Test
    void aKilledUploadLeavesNothingBehindAfterTheSessionTimeout() throws IOException {
        start();
        try (Command put =
                Command.start(
                        directory, "-D", "client.session.timeout=2s", "fs", "put", "-", "/file")) {
            put.in().write(new byte[3 << 20]);
            put.in().flush();
            put.await(() -> crail("fs", "ls", "/").out().contains(".crail-"));
            put.kill();
            assertThat(put.awaitEnd()).isEqualTo(137);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> crail("fs", "ls", "/").out().isEmpty());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            String df = crail("fs", "df", "--json").out();
                            return df.contains("\"granted\": 0") && df.contains("\"committed\": 0");
                        });
    }

    @Test
    void aServerEndsInOrderWhenItIsTold() throws IOException {
        Path metadata = directory.resolve("metadata");
        try (Command namenode =
                Command.start(directory, "namenode", "--port", "0", "--dir", metadata.toString())) {
            namenode.await(() -> namenode.out().matches("(?s).*ready on .*\n"));
            assertThat(namenode.out())
                    .matches(
                            "crail namenode status at http://127.0.0.1:\\d+\\s"
                                    + "crail namenode ready on 127.0.0.1:\\d+\\s");
            namenode.terminate();
            assertThat(namenode.awaitEnd()).isEqualTo(143);
            assertThat(namenode.err()).containsPattern("\\d{4}-\\d\\d-\\d\\dT.* INFO ");
        }
        // The directory is free again.
        try (Command again =
                Command.start(directory, "namenode", "--port", "0", "--dir", metadata.toString())) {
            again.await(() -> again.out().endsWith("\n"));
            assertThat(again.isAlive()).isTrue();
        }
    }
}
