// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.terminal.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RowProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong clock = new AtomicLong();
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    private RowProgress progress(boolean terminal) {
        PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
        Console console =
                new Console(
                        new ByteArrayInputStream(new byte[0]), out, out, terminal, terminal, false);
        return new RowProgress(console, 3, clock::get);
    }

    private String shown() {
        return shown.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aPersonSeesOneLineWithTheTimeThatIsLeft() {
        try (RowProgress progress = progress(true)) {
            progress.next("lookup: a long setting");
            clock.addAndGet(40 * SECOND);
            progress.next("get");
        }
        assertThat(shown())
                .contains("1 of 3  lookup: a long setting")
                .contains("\r2 of 3  get  1:20 left  ")
                .endsWith("\r")
                .doesNotContain("\n");
    }

    @Test
    void aPersonSeesTheStepsOfARow() {
        try (RowProgress progress = progress(true)) {
            progress.next("groupby");
            progress.step("pair 1 of 10");
        }
        assertThat(shown()).contains("\r1 of 3  groupby  pair 1 of 10").doesNotContain("\n");
    }

    @Test
    void aLogGetsALineForEachRow() {
        try (RowProgress progress = progress(false)) {
            progress.next("lookup");
            progress.step("pair 1 of 10");
            progress.next("get");
        }
        assertThat(shown()).isEqualTo("1 of 3  lookup ...\n2 of 3  get ...\n");
    }
}
