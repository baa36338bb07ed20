// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.bench.load.Arena;
import io.crail.bench.load.LoadRow;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Setting;
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

    private record Titled(String title) implements LoadRow {
        @Override
        public Setting cores() {
            return Setting.FREE;
        }

        @Override
        public Result measure(Arena arena, int number) {
            throw new AssertionError("nobody measures this row");
        }
    }

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
            progress.next(new Titled("lookup: a long setting"));
            clock.addAndGet(40 * SECOND);
            progress.next(new Titled("get"));
        }
        assertThat(shown())
                .contains("1 of 3  lookup: a long setting")
                .contains("\r2 of 3  get  1:20 left  ")
                .endsWith("\r")
                .doesNotContain("\n");
    }

    @Test
    void aLogGetsALineForEachRow() {
        try (RowProgress progress = progress(false)) {
            progress.next(new Titled("lookup"));
            progress.next(new Titled("get"));
        }
        assertThat(shown()).isEqualTo("1 of 3  lookup ...\n2 of 3  get ...\n");
    }
}
