// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.terminal.Console;
import io.crail.error.NoSuchNodeException;
import io.crail.error.SessionExpiredException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ErrorReportTest {
    @Test
    void theMessageIsToldAsItIsWithAdvice() {
        assertThat(line("cat /a", new NoSuchNodeException("/a does not exist")))
                .isEqualTo("crail: cat /a: /a does not exist; 'crail fs ls' shows what there is\n");
        assertThat(line("ls /", new SessionExpiredException("look up /: it is: over")))
                .isEqualTo("crail: ls /: look up /: it is: over\n");
    }

    @Test
    void aFailureOfTheCommandLineBringsItsOwnAdvice() {
        CommandFailure failure = new CommandFailure(ExitCode.NOT_FOUND, "nothing; do something");
        assertThat(line("rm", failure)).isEqualTo("crail: rm: nothing; do something\n");
        assertThat(ExitCode.of(failure)).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void whatOnlyCarriesAnErrorIsNotTold() {
        IOException cause = new NoSuchFileException("x");
        assertThat(line("put x", new CompletionException(new UncheckedIOException(cause))))
                .isEqualTo("crail: put x: no such local file: x\n");
    }

    @Test
    void anErrorIsOneLineWhateverItSays() {
        assertThat(line("", new IOException("a\r\nb"))).isEqualTo("crail: a b\n");
    }

    private static String line(String what, Throwable error) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                Console.captured(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(ErrorReport.print(console, what, error, false)).isNotEqualTo(ExitCode.OK);
        return err.toString(StandardCharsets.UTF_8);
    }
}
