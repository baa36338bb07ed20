// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("system")
@Timeout(180)
class BenchTargetsTest extends InOwnState {
    @Test
    void rowsAreMeasuredAgainstProcessesOfTheirOwnAndNothingIsLeft() throws IOException {
        Path file = directory.resolve("results.json");
        Command run =
                Command.run(
                        directory,
                        "bench",
                        "targets",
                        "--quick",
                        "--rows",
                        "get100_tcp,seqread_local",
                        "--json",
                        file.toString());
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("ROW +SETTING +CRAIL +LIMIT +UNIT +RATIO +SPREAD")
                .containsPattern("get100_tcp +one-core +[0-9.]+ +[0-9.]+ +us ")
                .containsPattern("seqread_local +checksums off +[0-9.]+ +[0-9.]+ +GB/s ");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(2))
                .startsWith("{\"row\": \"seqread_local\", \"value\": ")
                .containsPattern(
                        "\"unit\": \"GB/s\", \"limit\": [0-9.]+, \"ratio\": [0-9.]+,"
                                + " \"setting\": \"checksums\","
                                + " \"spread\": \\[[0-9.]+, [0-9.]+\\], \"runs\": 3, \"load\": ");
        assertThat(state.processes()).isEmpty();
    }

    @Test
    void aRunThatIsKilledKeepsTheRowsThatWereMeasured() throws IOException {
        Path file = directory.resolve("results.json");
        try (Command run =
                Command.start(
                        directory,
                        "bench",
                        "targets",
                        "--quick",
                        "--rows",
                        "get100_tcp,put100_tcp,seqread_tcp,lookup_tcp",
                        "--json",
                        file.toString())) {
            run.await(() -> Files.exists(file));
            run.kill();
            assertThat(Files.readAllLines(file))
                    .isNotEmpty()
                    .allMatch(line -> JsonText.object(line).containsKey("ratio"));
        }
    }

    @Test
    void aSwitchAppliesAndEachRowNamesIt() throws IOException {
        Command run =
                Command.run(
                        directory,
                        "bench",
                        "targets",
                        "--quick",
                        "--rows=lookup_tcp",
                        "-Dclient.busy-poll=false",
                        "-Dnamenode.durability=none",
                        "--json");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out().lines())
                .hasSize(2)
                .allMatch(
                        line ->
                                line.contains(
                                        "-core, client.busy-poll=false,"
                                                + " namenode.durability=none\""));
        assertThat(state.processes()).isEmpty();
    }

    @Test
    void anImpossibleSwitchIsRefusedBeforeAnythingIsStarted() {
        Command run = Command.run(directory, "bench", "targets", "-Dclient.busy-pole=false");
        assertThat(run.status()).isNotZero();
        assertThat(run.err())
                .contains("client.busy-pole", "did you mean 'client.busy-poll'?")
                .doesNotContain("starting");
    }
}
