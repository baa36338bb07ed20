// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/**
 * One run of bin/crail. Its streams go to files, so that it never waits for its reader. bin/crail
 * becomes the JVM: the process is the same.
 */
final class Command implements AutoCloseable {
    private static final long BOUND_SECONDS = 120;

    private static final String[] NONE = {};

    private final Process process;
    private final Path out;
    private final Path err;

    private Command(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts the command with its state below a directory. */
    static Command start(Path state, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(launcher());
        command.addAll(List.of(arguments));
        return start(state, command);
    }

    private static String launcher() {
        return Path.of(System.getProperty("crail.home"), "bin", "crail").toString();
    }

    /** Runs a script of bash, in which {@code crail} is the command, to its end. */
    static Command script(Path state, String script) {
        String function = "crail() { '" + launcher() + "' \"$@\"; }\n";
        Command command = start(state, List.of("bash", "-c", function + script));
        command.awaitEnd();
        return command;
    }

    /**
     * With SIGINT as it is in a terminal: who runs these tests in the background ignores it, and a
     * process inherits that, as it should, and a JVM keeps to it.
     */
    private static Command start(Path state, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(arguments);
        try {
            Path out = Files.createTempFile(state, "command", ".out");
            Path err = Files.createTempFile(state, "command", ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile());
            builder.environment().put("XDG_RUNTIME_DIR", state.toString());
            for (String name : List.of("CRAIL_NAMENODE", "CRAIL_HOME", "CRAIL_CONF")) {
                builder.environment().remove(name);
            }
            return new Command(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the command to its end. */
    static Command run(Path state, String... arguments) {
        Command command = start(state, arguments);
        command.awaitEnd();
        return command;
    }

    /** Waits for the end; returns the exit code. */
    int awaitEnd() {
        return awaitEnd(BOUND_SECONDS);
    }

    /** The same, of a command that takes long. */
    int awaitEnd(long seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the command did not end: " + out() + err());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    /** JVMs that it has started and that run, with that word in their command line. */
    List<ProcessHandle> descendants(String word) {
        return process.descendants()
                .filter(one -> one.info().command().orElse("").endsWith("java"))
                .filter(one -> List.of(one.info().arguments().orElse(NONE)).contains(word))
                .filter(State::runs)
                .toList();
    }

    int status() {
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until something holds, or the command has ended. */
    void await(BooleanSupplier condition) {
        Awaitility.await()
                .atMost(BOUND_SECONDS, TimeUnit.SECONDS)
                .until(() -> condition.getAsBoolean() || !process.isAlive());
    }

    /** What Ctrl-C sends. */
    void interrupt() {
        signal("INT");
    }

    void terminate() {
        signal("TERM");
    }

    /** What leaves a process no time to clean up. */
    void kill() {
        signal("KILL");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(new File("/dev/null"))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Standard input of the command. */
    OutputStream in() {
        return process.getOutputStream();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
