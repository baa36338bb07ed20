// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A part of a local cluster is dead: what is told, and how it comes back. */
@Tag("system")
@Timeout(180)
class ClusterRepairTest {
    private static final int FILE = 6 << 20;
    private static final String OPTION = "namenode.durability=process";

    @TempDir private Path directory;
    private State state = new State(Path.of("/"));

    @BeforeEach
    void start() throws IOException {
        state = new State(directory);
        Path file = directory.resolve("file");
        byte[] content = new byte[FILE];
        new Random(1).nextBytes(content);
        Files.write(file, content);
        Command start =
                crail("cluster", "start", "--servers", "2", "--capacity", "32MiB", "-D", OPTION);
        assertThat(start.status()).as(start.err()).isZero();
        assertThat(crail("fs", "put", file.toString(), "/file").status()).isZero();
    }

    @AfterEach
    void stop() {
        state.removeAll();
    }

    private Command crail(String... arguments) {
        return Command.run(directory, arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"storage-0", "namenode"})
    void aKilledServerIsStartedAgainAsItWas(String killed) {
        String checksum = crail("fs", "checksum", "/file").out();
        String locations = crail("fs", "locations", "/file").out();
        assertThat(locations).containsPattern("(?m)^ *\\d+ +\\d+ +1 ").containsPattern("\\d +2 ");
        String[] others = {"storage-1", killed.equals("namenode") ? "storage-0" : "namenode"};
        long[] pids = {pid(others[0]), pid(others[1])};
        State.kill(state.process(killed).orElseThrow());

        Command status = crail("cluster", "status");
        assertThat(status.status()).isEqualTo(7);
        assertThat(status.out())
                .containsPattern(killed + " +\\w+ +dead +- +127.0.0.1:\\d+ +\\S+ +-");
        assertThat(status.err()).contains(killed + ": dead; 'crail cluster start'").hasLineCount(1);
        assertThat(crail("cluster", "status", "--json").out())
                .contains("\"state\": \"dead\", \"pid\": null")
                .contains("\"state\": \"running\"");

        Command start = crail("cluster", "start");
        assertThat(start.status()).as(start.err()).isZero();
        assertThat(crail("cluster", "status").status()).isZero();
        assertThat(new long[] {pid(others[0]), pid(others[1])}).isEqualTo(pids);
        assertThat(crail("fs", "checksum", "/file").out()).isEqualTo(checksum);
        // The same servers, by their ids and their ports.
        assertThat(crail("fs", "locations", "/file").out()).isEqualTo(locations);
    }

    private long pid(String process) {
        return state.process(process).orElseThrow().pid();
    }

    @Test
    void aPartlyDeadClusterCannotBecomeAnother() {
        State.kill(state.process("storage-1").orElseThrow());
        for (String[] arguments :
                new String[][] {
                    {"--format"},
                    {"--servers", "3"},
                    {"--capacity", "64MiB"},
                    {"--port", "1"},
                    {"-D", "namenode.durability=none"}
                }) {
            String[] command = new String[2 + arguments.length];
            command[0] = "cluster";
            command[1] = "start";
            System.arraycopy(arguments, 0, command, 2, arguments.length);
            Command start = crail(command);
            assertThat(start.status()).as(arguments[0]).isEqualTo(2);
            assertThat(start.err()).contains("storage-1").contains("stop --keep-data");
        }
        assertThat(state.processes()).hasSize(2);
        assertThat(crail("fs", "ls", "/").out()).isEqualTo("file\n");
    }

    @Test
    void aRepairThatFailsTouchesNothingThatLives() throws IOException {
        State.kill(state.process("storage-1").orElseThrow());
        Path cluster = directory.resolve("crail/default/cluster");
        String description = Files.readString(cluster);
        Files.writeString(
                cluster, description.replace("--set=" + OPTION, "--set=storage.tier=nonsense"));
        Command start = crail("cluster", "start");
        assertThat(start.status()).isNotZero();
        assertThat(start.err()).contains("nonsense");
        assertThat(state.processes()).hasSize(2);
        Files.writeString(cluster, description);
        assertThat(crail("cluster", "start").status()).isZero();
        assertThat(state.processes()).hasSize(3);
    }

    @Test
    void aStoppedProcessIsNotAnswering() throws Exception {
        long pid = pid("storage-1");
        signal("STOP", pid);
        try {
            Command status = crail("cluster", "status");
            assertThat(status.status()).isEqualTo(7);
            assertThat(status.out()).containsPattern("storage-1 +storage +not answering +" + pid);
            assertThat(status.out()).containsPattern("storage-0 +storage +running");
            assertThat(status.err()).contains("storage-1: not answering");
        } finally {
            signal("CONT", pid);
        }
        assertThat(crail("cluster", "status").status()).isZero();
    }

    private static void signal(String name, long pid) throws Exception {
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Test
    void aStartAfterAStopIsAsBefore() {
        String locations = crail("fs", "locations", "/file").out();
        assertThat(crail("cluster", "stop", "--keep-data").status()).isZero();
        Command start = crail("cluster", "start");
        assertThat(start.status()).as(start.err()).isZero();
        assertThat(state.processes()).hasSize(3);
        assertThat(crail("fs", "locations", "/file").out()).isEqualTo(locations);
    }

    @Test
    void anUnknownNameIsToldWithThoseThatExist() {
        Command stop = crail("cluster", "stop", "--name", "zz");
        assertThat(stop.status()).isEqualTo(3);
        assertThat(stop.err())
                .contains("there is no cluster 'zz'", "there is default")
                .hasLineCount(1);
        assertThat(state.processes()).hasSize(3);
    }
}
