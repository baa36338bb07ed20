// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The three standard streams, and whether a person looks at them.
 *
 * @param in standard input
 * @param out standard output: results
 * @param err standard error: progress and errors
 * @param outIsTerminal whether a person reads standard output
 * @param errIsTerminal whether a person reads standard error
 * @param colours whether colours are wanted where a person reads
 */
public record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        boolean colours) {
    private static final int BUFFER = 64 << 10;

    /** A console for somebody who captures the streams: no terminal anywhere. */
    public static Console captured(InputStream in, PrintStream out, PrintStream err) {
        return new Console(in, out, err, false, false, false);
    }

    /**
     * The streams of this process. Standard output is buffered: {@link #outputFailure} belongs at
     * the end. Printing fails with {@link OutputException} when it cannot be written.
     */
    public static Console ofProcess(Map<String, String> environment) {
        boolean plain =
                !environment.getOrDefault("NO_COLOR", "").isEmpty()
                        || environment.getOrDefault("TERM", "dumb").equals("dumb");
        PrintStream out =
                new PrintStream(
                        new BufferedOutputStream(new WatchedOutput(), BUFFER),
                        false,
                        StandardCharsets.UTF_8);
        PrintStream err =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        return new Console(
                new FileInputStream(FileDescriptor.in),
                out,
                err,
                isTerminal(1),
                isTerminal(2),
                !plain);
    }

    /**
     * Writes what is buffered to standard output.
     *
     * @return why that, or anything before, could not be written
     */
    public Optional<OutputException> outputFailure() {
        try {
            return out.checkError()
                    ? Optional.of(new OutputException(false, new IOException("it is closed")))
                    : Optional.empty();
        } catch (OutputException e) {
            return Optional.of(e);
        }
    }

    /** The JVM tells only whether input and output both are terminals; the kernel tells each. */
    private static boolean isTerminal(int descriptor) {
        try {
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    /** Text in a colour on standard output, plain where colours are not wanted. */
    public String paint(Colour colour, String text) {
        return outIsTerminal && colours && !text.isEmpty() ? colour.paint(text) : text;
    }

    /** As {@link #paint} for standard error. */
    public String paintError(Colour colour, String text) {
        return errIsTerminal && colours ? colour.paint(text) : text;
    }
}
