// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.error.CancelledException;
import io.crail.error.InternalException;
import io.crail.error.TimeoutException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Another process of crail that does what this one tells it, line by line. It ends when it is
 * closed, when the command is ended by a signal, and when this process is gone, which closes its
 * standard input. Not thread-safe: one thread waits for what another one, which ends with the
 * process, reads from it.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LINES = 16;

    private final String name;
    private final Path log;
    private final Process process;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES);
    private final BufferedWriter input;
    private final Leftovers leftovers;
    private final Leftovers.Removal removal;

    private ChildProcess(Leftovers leftovers, String name, ProcessBuilder builder, Path log)
            throws IOException {
        this.name = name;
        this.log = log;
        this.leftovers = leftovers;
        this.process = builder.start();
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        boolean remembered = false;
        try {
            this.removal = leftovers.add(process::destroyForcibly);
            remembered = true;
        } finally {
            if (!remembered) {
                process.destroyForcibly();
            }
        }
        Thread reader = new Thread(this::readLines, "lines-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a process with the configuration of this one; returns without waiting for it.
     *
     * @param name for messages
     * @param arguments of the command
     * @param flags of the JVM, unless the user has set some
     * @param log gets what it writes to standard error
     */
    public static ChildProcess start(
            Invocation invocation, String name, List<String> arguments, String flags, Path log)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Launcher.path().toString());
        command.addAll(arguments);
        command.addAll(invocation.configurationOptions());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().putIfAbsent("CRAIL_CLIENT_OPTS", flags);
        return new ChildProcess(invocation.leftovers(), name, builder, log);
    }

    /**
     * Starts a program that is none of crail; returns without waiting for it.
     *
     * @param name for messages
     * @param log gets what it writes to standard error
     */
    public static ChildProcess start(
            Leftovers leftovers, String name, ProcessBuilder program, Path log) throws IOException {
        return new ChildProcess(leftovers, name, program.redirectError(log.toFile()), log);
    }

    private void readLines() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.put(line);
            }
        } catch (IOException e) {
            // The process is gone: whoever waits for a line sees that.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The process. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Sends it a line. */
    public void say(String line) throws IOException {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new InternalException(name + " has ended" + lastWords(), e);
        }
    }

    /**
     * Waits for its next line.
     *
     * @param bound longest time
     */
    public String hear(Duration bound) throws IOException {
        long deadline = System.nanoTime() + bound.toNanos();
        try {
            while (true) {
                boolean alive = process.isAlive();
                String line = lines.poll(alive ? 100 : 0, TimeUnit.MILLISECONDS);
                if (line != null) {
                    return line;
                }
                if (!alive) {
                    throw new InternalException(
                            name + " ended with status " + process.exitValue() + lastWords());
                }
                if (System.nanoTime() - deadline >= 0) {
                    throw new TimeoutException(
                            name + " says nothing for " + bound.toSeconds() + " s");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted while waiting for " + name, e);
        }
    }

    private String lastWords() throws IOException {
        List<String> said =
                Files.exists(log)
                        ? Files.readAllLines(log).stream().filter(s -> !s.isBlank()).toList()
                        : List.of();
        return said.isEmpty() ? "" : ": " + said.get(said.size() - 1);
    }

    /** Ends the process; it is gone when this returns. */
    @Override
    public void close() throws IOException {
        try {
            input.close();
        } catch (IOException e) {
            // It has ended already.
        }
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            leftovers.forget(removal);
        }
    }
}
