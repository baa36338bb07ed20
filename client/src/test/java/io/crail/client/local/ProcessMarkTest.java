// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMarkTest {
    private static final long SELF = ProcessHandle.current().pid();

    @TempDir private Path directory;

    @Test
    void aRunningProcessIsFoundAgain() throws IOException {
        Path file = directory.resolve("x.pid");
        ProcessMark.of(SELF).orElseThrow().write(file);
        assertThat(Objects.requireNonNull(ProcessMark.read(file)).process())
                .contains(ProcessHandle.current());
    }

    @Test
    void anotherProcessWithTheSameIdIsNotOurs() {
        ProcessMark self = ProcessMark.of(SELF).orElseThrow();
        assertThat(new ProcessMark(SELF, self.startTicks() - 1, self.boot()).process()).isEmpty();
        assertThat(new ProcessMark(SELF, self.startTicks(), "another boot").process()).isEmpty();
    }

    @Test
    void aProcessThatHasEndedIsNotFound() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertThat(ProcessMark.of(process.pid())).isEmpty();
    }

    @Test
    void anUnreadableFileHoldsNoMark() throws IOException {
        assertThat(ProcessMark.read(directory.resolve("absent"))).isNull();
        assertThat(ProcessMark.read(Files.writeString(directory.resolve("x"), "1 2"))).isNull();
        assertThat(ProcessMark.read(Files.writeString(directory.resolve("x"), "a b c"))).isNull();
    }
}
