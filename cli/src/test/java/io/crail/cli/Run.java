// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.terminal.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One run of the command in this JVM, with what it printed.
 *
 * @param status exit code
 * @param bytes standard output
 * @param err standard error
 */
public record Run(int status, byte[] bytes, String err) {
    /** Runs a command without standard input. */
    public static Run of(String... arguments) {
        return withInput(new byte[0], arguments);
    }

    /** Runs a command with standard input. */
    public static Run withInput(byte[] input, String... arguments) {
        return run(input, Map.of("XDG_RUNTIME_DIR", "/proc/self/fdinfo"), arguments);
    }

    /** Runs a command with other environment variables. */
    public static Run inEnvironment(Map<String, String> environment, String... arguments) {
        return run(new byte[0], environment, arguments);
    }

    private static Run run(byte[] input, Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                Console.captured(
                        new ByteArrayInputStream(input),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        int status = Main.run(arguments, console, environment);
        return new Run(status, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    /** Standard output as text. */
    public String out() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
