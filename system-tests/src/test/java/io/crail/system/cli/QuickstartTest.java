// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("system")
@Timeout(180)
class QuickstartTest extends InOwnState {
    private static final Path TREE = Path.of(System.getProperty("crail.home", ".."), "docs");

    /** A namenode, two storage servers in memory and one on disk. */
    private static final int SERVERS = 4;

    private static final List<String> SMALL =
            List.of("quickstart", "--size", "8MiB", "--keys", "100", "--tree", TREE.toString());

    private static String[] small(String... more) {
        List<String> arguments = new ArrayList<>(SMALL);
        arguments.addAll(List.of(more));
        return arguments.toArray(new String[0]);
    }

    @Test
    void itMeasuresEverythingAndLeavesNothing() {
        Command run = Command.run(directory, small());
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("OPERATION +AMOUNT +TIME +CRAIL +LIMIT +OF A +RATIO +RANGE")
                .containsPattern("copy the tree in +[0-9,]+ files")
                .containsPattern(
                        "write a generated file +8.0 MiB .* MiB/s .* MiB/s +copy [+] CRC32C +[0-9.]+")
                .containsPattern("get 100 B, comparing +100 .* us .* us +round trip +[0-9.]+")
                .containsPattern("zero-copy view, CRC32C +8.0 MiB .* CRC32C +[0-9.]+")
                .containsPattern("3 processes write a multifile +12 MiB .* 3 x copy [+] CRC32C +")
                .containsPattern("read it as one stream, comparing .* MiB/s .* MiB/s")
                .containsPattern("stream of 100 B, append to tail +100,000 .* /s .* /s")
                .containsPattern("append to arrival, p50 .* us .* us")
                .containsPattern("append to arrival, p99 .* us .* us")
                .containsPattern("value goes by itself +500 ms to live")
                .containsPattern("start the cluster +4 processes")
                .containsPattern("write a file to flash +8.0 MiB .* MiB/s .* MiB/s +disk, ")
                .containsPattern("read it from flash, comparing +8.0 MiB .* MiB/s +disk, ")
                .containsPattern(
                        "write more than memory holds +[0-9.]+ [MG]iB, [0-9.]+ [MG]iB of it to flash")
                .containsPattern("read it from both, comparing +[0-9.]+ [MG]iB")
                .containsPattern("kill -9 until readable again +1 server +[0-9.]+ s")
                .containsPattern("read all again, comparing +nothing lost")
                .contains("All checksums agree");
        assertNothingIsLeft(run);
    }

    @Test
    void itIsReadableByPrograms() {
        Command run = Command.run(directory, small("--json"));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("{\"processors\": ")
                .contains("\"limitBytesPerSecond\": ")
                .contains("\"limitNanosPerOperation\": ")
                .contains("\"operation\": \"put 100 B\"")
                .contains("\"operation\": \"write a file to flash\"")
                .contains("\"limit\": \"disk, ");
    }

    @Test
    void theClusterStaysOnRequest() {
        Command run = Command.run(directory, small("--keep"));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("cluster stop");
        assertThat(state.processes()).hasSize(SERVERS);
        assertThat(Command.run(directory, "fs", "ls", "/").out())
                .isEqualTo("flash\ngenerated\nmultifile\nstream\ntable\ntree\n");
        assertThat(Command.run(directory, "cluster", "stop").status()).isZero();
        assertNothingIsLeft(run);
    }

    @Test
    void anInterruptStopsEverything() {
        try (Command run =
                Command.start(directory, "quickstart", "--size", "8MiB", "--keys", "1000000")) {
            run.await(() -> run.err().contains("looking up"));
            List<ProcessHandle> processes = state.processes();
            assertThat(processes).hasSize(SERVERS);
            run.interrupt();
            assertThat(run.awaitEnd()).isEqualTo(130);
            assertThat(processes).noneMatch(State::runs);
            assertNothingIsLeft(run);
        }
    }

    @Test
    void aRunThatIsKilledTakesItsServersAndTheirFilesWithIt() {
        try (Command run =
                Command.start(directory, "quickstart", "--size", "8MiB", "--keys", "1000000")) {
            run.await(() -> run.err().contains("looking up"));
            List<ProcessHandle> processes = state.processes();
            assertThat(processes).hasSize(SERVERS);
            run.kill();
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> processes.stream().noneMatch(State::runs));
            assertNothingIsLeft(run);
        }
    }

    @Test
    void anInterruptStopsTheProcessesThatTakePart() {
        try (Command run = Command.start(directory, "quickstart", "--size", "1GiB", "--keys=1")) {
            Set<ProcessHandle> parts = new HashSet<>();
            run.await(
                    () -> {
                        parts.addAll(run.descendants("write-members"));
                        return parts.size() == 3;
                    });
            assertThat(parts).hasSize(3).allMatch(State::runs);
            List<ProcessHandle> servers = state.processes();
            assertThat(servers).hasSize(SERVERS);
            run.interrupt();
            assertThat(run.awaitEnd()).isEqualTo(130);
            assertThat(servers).noneMatch(State::runs);
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> parts.stream().noneMatch(State::runs));
            assertNothingIsLeft(run);
        }
    }

    @Test
    void aFailureOfAProcessThatTakesPartNamesTheStep() {
        try (Command run = Command.start(directory, small())) {
            Set<ProcessHandle> parts = new HashSet<>();
            run.await(() -> parts.addAll(run.descendants("append-records")) || !parts.isEmpty());
            assertThat(parts).isNotEmpty();
            parts.forEach(State::kill);
            assertThat(run.awaitEnd()).isNotZero();
            assertThat(run.err())
                    .contains("the step 'a stream, read while another process appends' failed");
            assertThat(run.out()).isEmpty();
            assertNothingIsLeft(run);
        }
    }

    @Test
    void aFailureIsToldAndStopsEverything() {
        String[] arguments = {"quickstart", "--size=8MiB", "--keys=1000000", "--timeout=10s"};
        try (Command run = Command.start(directory, arguments)) {
            run.await(() -> run.err().contains("looking up"));
            assertThat(state.process("namenode")).as(run.err()).isPresent();
            State.kill(state.process("namenode").orElseThrow());
            // The client waits for the namenode to come back, as long as an operation may take.
            assertThat(run.awaitEnd()).isNotZero();
            assertThat(run.err()).contains("crail: quickstart: the step 'looking up, putting");
            assertNothingIsLeft(run);
        }
    }

    @Test
    void aTreeThatIsNotThereIsRefused() {
        Command run = Command.run(directory, "quickstart", "--tree", directory + "/none");
        assertThat(run.status()).isNotZero();
        assertThat(state.clusters()).isEmpty();
    }

    private void assertNothingIsLeft(Command run) {
        assertThat(State.sharedMemory("quickstart-" + run.pid())).isEmpty();
        assertThat(State.disk("quickstart-" + run.pid())).isEmpty();
        assertThat(state.processes()).isEmpty();
        assertThat(state.clusters()).isEmpty();
    }
}
