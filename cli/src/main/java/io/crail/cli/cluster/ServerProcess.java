// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.command.Launcher;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.ProcessMark;
import io.crail.error.InternalException;
import io.crail.error.TimeoutException;
import io.crail.protocol.config.Endpoint;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One server of a local cluster, started by this process. It ignores what a terminal sends: Ctrl-C,
 * Ctrl-Z, and its end. If it is bound to this process, a pipe tells it the end of this one. Not
 * thread-safe.
 *
 * <p>It stays in the session that it was started from. The scheduler shares a core out by time
 * between sessions, and by who is ready within one, so on a core that both have to share a call of
 * a client in the same session takes a sixth less than from another one (ADR 11).
 */
final class ServerProcess {
    private static final Duration POLL = Duration.ofMillis(10);

    /**
     * Becomes the command that follows, with signals of the terminal ignored, which whatever it
     * starts inherits. The JVM leaves alone what is ignored already.
     */
    private static final List<String> DEAF =
            List.of("sh", "-c", "trap '' HUP INT TSTP && exec \"$@\"", "sh");

    /** The option of a server that ends with its standard input. */
    private static final String BOUND = "--bound-cluster";

    private final String name;
    private final Path directory;
    private final Path log;
    private final Process process;

    private ServerProcess(String name, Path directory, Path log, Process process) {
        this.name = name;
        this.directory = directory;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a server.
     *
     * @param name name of the process in the cluster
     * @param directory of the cluster
     * @param arguments options of the command
     * @param bound whether it ends with this process
     */
    static ServerProcess start(String name, Path directory, List<String> arguments, boolean bound)
            throws IOException {
        Path output = LocalCluster.outputFile(directory, name);
        Path log = LocalCluster.logFile(directory, name);
        Files.deleteIfExists(output);
        List<String> command = new ArrayList<>(DEAF);
        command.add(Launcher.path().toString());
        command.add(LocalCluster.role(name));
        command.addAll(arguments);
        if (bound) {
            command.add(BOUND + "=" + directory);
        }
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectInput(
                                bound
                                        ? ProcessBuilder.Redirect.PIPE
                                        : ProcessBuilder.Redirect.from(new File("/dev/null")))
                        .redirectOutput(output.toFile())
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        JvmFlags.complete(builder.environment());
        Process process = builder.start();
        Optional<ProcessMark> mark = ProcessMark.of(process.pid());
        if (mark.isPresent()) {
            mark.get().write(LocalCluster.pidFile(directory, name));
        }
        return new ServerProcess(name, directory, log, process);
    }

    long pid() {
        return process.pid();
    }

    /**
     * Waits until the server has printed its ready line.
     *
     * @return its address
     */
    Endpoint awaitReady(long deadlineNanos) throws IOException {
        while (true) {
            boolean alive = process.isAlive();
            Optional<Endpoint> address = LocalCluster.address(directory, name);
            if (address.isPresent()) {
                return address.get();
            }
            if (!alive) {
                throw new InternalException(
                        name
                                + " ended with status "
                                + process.exitValue()
                                + " before it served: "
                                + lastWords());
            }
            if (System.nanoTime() - deadlineNanos >= 0) {
                throw new TimeoutException(
                        name + " does not serve yet: " + lastWords() + " (log: " + log + ")");
            }
            pause();
        }
    }

    /** Waits for the process to end as well: then there is nothing more to wait for. */
    private void pause() throws InternalException {
        try {
            process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InternalException("interrupted while waiting for " + name, e);
        }
    }

    private String lastWords() throws IOException {
        List<String> lines =
                Files.exists(log)
                        ? Files.readAllLines(log).stream().filter(s -> !s.isBlank()).toList()
                        : List.of();
        return lines.isEmpty() ? "it said nothing" : lines.get(lines.size() - 1);
    }
}
