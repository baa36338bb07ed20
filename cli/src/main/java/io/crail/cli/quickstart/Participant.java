// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Launcher;
import io.crail.cli.command.Leftovers;
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
 * Another process of crail that takes part in a step; {@link Rounds} is its side. It ends when it
 * is closed, when the command is ended by a signal, and when this process is gone, which closes its
 * standard input. Not thread-safe: one thread waits for what another one, which ends with the
 * process, reads from it.
 */
final class Participant implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LINES = 16;

    /** Modest: several processes share the machine. What the user has set stays. */
    private static final String JVM_FLAGS =
            "-XX:+UseSerialGC -XX:-UsePerfData -Xms32m -Xmx128m -XX:MaxDirectMemorySize=128m";

    private final String name;
    private final Path log;
    private final Process process;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES);
    private final BufferedWriter input;
    private final Leftovers leftovers;
    private final Leftovers.Removal removal;

    private Participant(Stage stage, String name, ProcessBuilder builder, Path log)
            throws IOException {
        this.name = name;
        this.log = log;
        this.leftovers = stage.invocation().leftovers();
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
        Thread reader = new Thread(this::readLines, "quickstart-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a process; returns without waiting for it.
     *
     * @param name for messages and for its log, which lies beside those of the servers
     * @param arguments of the command {@code quickstart}
     */
    static Participant start(Stage stage, String name, List<String> arguments) throws IOException {
        Invocation invocation = stage.invocation();
        List<String> command = new ArrayList<>();
        command.add(Launcher.path().toString());
        command.add("quickstart");
        command.addAll(arguments);
        command.addAll(invocation.configurationOptions());
        command.add("--namenode=" + stage.cluster().namenode());
        Path log = stage.cluster().directory().resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().putIfAbsent("CRAIL_CLIENT_OPTS", JVM_FLAGS);
        return new Participant(stage, name, builder, log);
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

    /** Waits until it is connected and has prepared itself. */
    void awaitReady() throws IOException {
        await(Rounds.READY);
    }

    /** Lets it do its next round. */
    void go() throws IOException {
        try {
            input.write(Rounds.GO + "\n");
            input.flush();
        } catch (IOException e) {
            throw new InternalException(name + " has ended: " + lastWords(), e);
        }
    }

    /** Waits until its round is done. */
    void awaitDone() throws IOException {
        await(Rounds.DONE);
    }

    private void await(String expected) throws IOException {
        long deadline = System.nanoTime() + BOUND.toNanos();
        try {
            while (true) {
                boolean alive = process.isAlive();
                String line = lines.poll(alive ? 100 : 0, TimeUnit.MILLISECONDS);
                if (line != null) {
                    if (line.equals(expected)) {
                        return;
                    }
                    throw new InternalException(name + " said '" + line + "', not " + expected);
                }
                if (!alive) {
                    throw new InternalException(
                            name + " ended with status " + process.exitValue() + lastWords());
                }
                if (System.nanoTime() - deadline >= 0) {
                    throw new TimeoutException(name + " does not say '" + expected + "'");
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
