// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that nobody gets: standard output is full, or its reader has gone. */
@Tag("system")
@Timeout(180)
class OutputTest {
    @TempDir private static Path directory;

    @BeforeAll
    static void start() {
        Command start = Command.run(directory, "cluster", "start", "--capacity", "32MiB");
        assertThat(start.status()).as(start.err()).isZero();
        Command prepare =
                Command.script(
                        directory,
                        "set -e; crail fs mkdir -p /d/e; seq 1000 | crail fs put - /d/file;"
                                + " crail fs mkmulti /multi;"
                                + " crail kv create /t; crail kv put /t key value >&2");
        assertThat(prepare.status()).as(prepare.err()).isZero();
    }

    @AfterAll
    static void stop() {
        new State(directory).removeAll();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "fs ls --help",
                "help fs",
                "version",
                "config",
                "completion bash",
                "cluster status",
                "cluster status --json",
                "fs ls /",
                "fs ls -l -R /",
                "fs ls --json /",
                "fs cat /d/file",
                "fs get /d/file -",
                "fs tail /d/file",
                "fs stat /d /d/file",
                "fs stat --json /d",
                "fs du /",
                "fs df",
                "fs checksum /d/file",
                "fs locations /d/file",
                "fs put - /multi",
                "kv ls /t",
                "kv get /t key"
            })
    void everyCommandFailsThatCannotPrint(String command) {
        Command full = Command.script(directory, "crail " + command + " </dev/null >/dev/full");
        assertThat(full.status()).as(full.err()).isEqualTo(1);
        assertThat(full.err())
                .startsWith("crail: ")
                .contains("cannot write standard output")
                .hasLineCount(1);

        // A pipe whose reader has ended before the command starts.
        Command gone =
                Command.script(
                        directory,
                        "exec 3> >(:); wait $!; crail " + command + " </dev/null >&3; exit $?");
        assertThat(gone.status()).as(gone.err()).isEqualTo(141);
        assertThat(gone.err()).isEmpty();
    }

    @Test
    void aReaderThatHasEnoughIsNoError() {
        Command head =
                Command.script(
                        directory,
                        "crail fs cat /d/file /d/file | head -n 1; exit ${PIPESTATUS[1]}");
        assertThat(head.status()).isZero();
        assertThat(head.out()).isEqualTo("1\n");
        assertThat(head.err()).isEmpty();
    }

    @Test
    void anEarlierFailureIsTheOneThatIsTold() {
        Command full = Command.script(directory, "crail fs ls /none / >/dev/full");
        assertThat(full.status()).isEqualTo(3);
        assertThat(full.err()).contains("/none").contains("cannot write standard output");
    }
}
