// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong clock = new AtomicLong();
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    @Test
    void aPersonSeesBytesRateAndTimeLeft() {
        Progress progress = progress(true);
        progress.expect(100 << 20);
        clock.addAndGet(SECOND);
        progress.add(25 << 20);
        assertThat(shown())
                .contains("copy [######------------------]  25 %")
                .contains("25 MiB of 100 MiB")
                .contains("25 MiB/s")
                .contains("0:03 left");
    }

    @Test
    void aShortCopyShowsNothing() {
        Progress progress = progress(true);
        progress.expect(10);
        clock.addAndGet(SECOND / 10);
        progress.add(10);
        progress.close();
        assertThat(shown()).isEmpty();
    }

    @Test
    void aProgramSeesNothing() {
        Progress progress = progress(false);
        progress.expect(10);
        clock.addAndGet(SECOND);
        progress.add(5);
        progress.close();
        assertThat(shown()).isEmpty();
    }

    @Test
    void theLineIsDrawnAtMostTenTimesASecond() {
        Progress progress = progress(true);
        progress.expect(1000);
        clock.addAndGet(SECOND);
        for (int i = 0; i < 1000; i++) {
            clock.addAndGet(SECOND / 1000);
            progress.add(1);
        }
        assertThat(shown().chars().filter(c -> c == '\r').count()).isLessThanOrEqualTo(11);
    }

    @Test
    void theLineGoesInTheEnd() {
        Progress progress = progress(true);
        progress.expect(10);
        clock.addAndGet(SECOND);
        progress.add(5);
        progress.close();
        assertThat(shown()).endsWith("\r");
        assertThat(shown().substring(0, shown().length() - 1)).endsWith(" ");
    }

    @Test
    void withoutTotalTheRateIsShown() {
        assertThat(Progress.line("get", 10 << 20, 0, SECOND)).isEqualTo("get  10 MiB  10 MiB/s");
    }

    private Progress progress(boolean terminal) {
        Console console =
                new Console(
                        new ByteArrayInputStream(new byte[0]),
                        System.out,
                        new PrintStream(shown, true, StandardCharsets.UTF_8),
                        terminal,
                        terminal,
                        false);
        return Progress.of(console, "copy", clock::get);
    }

    private String shown() {
        return shown.toString(StandardCharsets.UTF_8);
    }
}
