// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that uses a client, in a JVM of its own. Its standard error goes to the test's. */
public final class ClientProcess implements AutoCloseable {
    private static final String SETPRIV = "/usr/bin/setpriv";

    private final Process process;
    private final BufferedReader output;

    private ClientProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    public static ClientProcess start(Class<?> main, String... arguments) {
        return start(List.of(), System.getProperty("java.class.path"), main, arguments);
    }

    /** Whether {@link #startAsNobody} can be used. */
    public static boolean canStartAsNobody() {
        return System.getProperty("user.name").equals("root")
                && Files.isExecutable(Path.of(SETPRIV));
    }

    /**
     * Starts a client of another user.
     *
     * @param readable a directory for a class path that this user may read
     */
    public static ClientProcess startAsNobody(Path readable, Class<?> main, String... arguments)
            throws IOException {
        List<String> copied = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path source = Path.of(entry);
            if (Files.exists(source)) {
                Path target = readable.resolve(copied.size() + "-" + source.getFileName());
                copy(source, target);
                copied.add(target.toString());
            }
        }
        Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rwxr-xr-x"));
        return start(
                List.of(SETPRIV, "--reuid=65534", "--regid=65534", "--clear-groups"),
                String.join(File.pathSeparator, copied),
                main,
                arguments);
    }

    private static void copy(Path source, Path target) throws IOException {
        try (Stream<Path> tree = Files.walk(source)) {
            for (Path each : tree.toList()) {
                Files.copy(each, target.resolve(source.relativize(each).toString()));
            }
        }
    }

    private static ClientProcess start(
            List<String> prefix, String classPath, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        main.getName()));
        command.addAll(List.of(arguments));
        try {
            return new ClientProcess(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a line; the test's own time limit bounds it. */
    public void awaitLine(String expected) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.equals(expected)) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("the client ended without saying '" + expected + "'");
    }

    /** Waits for the next line; the test's own time limit bounds it. */
    public String awaitLine() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError("the client ended without another line");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next line that the program has printed, if there is one already. */
    public Optional<String> poll() {
        boolean ended = !process.isAlive();
        try {
            if (output.ready()) {
                return Optional.of(output.readLine());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (ended) {
            throw new AssertionError("the client ended without another line");
        }
        return Optional.empty();
    }

    /** A line for the program to read, at its leisure. */
    public void send(String line) {
        try {
            Writer input = process.outputWriter(StandardCharsets.UTF_8);
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** SIGSTOP; returns when no thread of it runs. */
    public void pause() {
        Signals.stop(process);
    }

    /** SIGCONT. */
    public void resume() {
        Signals.resume(process);
    }

    public int awaitEnd() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the client did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        return process.exitValue();
    }

    /** kill -9. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
