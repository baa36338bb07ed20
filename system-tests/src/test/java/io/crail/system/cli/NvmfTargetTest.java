// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.local.ReadyLine;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code crail nvmf target} as a process. */
@Tag("system")
@Timeout(180)
class NvmfTargetTest {
    @TempDir private Path directory;

    private String[] arguments() {
        return new String[] {
            "nvmf",
            "target",
            "--file",
            directory.resolve("disk.img").toString(),
            "--size",
            "1MiB",
            "--nqn",
            "nqn.2026-11.example:disk",
            "--any-host",
            "--port",
            "0"
        };
    }

    private Command start() {
        Command target = Command.start(directory, arguments());
        target.await(() -> ReadyLine.findAddress(target.out(), "nvmf target").isPresent());
        assertThat(target.isAlive()).as(target.err()).isTrue();
        return target;
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130"})
    void aSignalEndsItInOrderAndTheFileCanBeServedAgain(String signal, int status) {
        try (Command target = start()) {
            if (signal.equals("INT")) {
                target.interrupt();
            } else {
                target.terminate();
            }
            assertThat(target.awaitEnd()).isEqualTo(status);
            assertThat(target.err()).doesNotContain("did not end in order");
        }
        start().close();
    }

    @Test
    void aFileHasOneServer() {
        try (Command target = start()) {
            Command second = Command.run(directory, arguments());
            assertThat(second.status()).as(second.err()).isEqualTo(7);
            assertThat(second.out()).isEmpty();
            assertThat(second.err())
                    .contains(directory.resolve("disk.img") + " is locked by another process");
            assertThat(target.isAlive()).isTrue();
        }
    }
}
