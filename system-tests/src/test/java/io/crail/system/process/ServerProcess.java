// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One server in a process of its own. Only ever signals the process it started. */
final class ServerProcess {
    private static final long START_SECONDS = 60;
    private static final long END_SECONDS = 60;

    private final String role;
    private final Path output;
    private final Process process;
    private final String address;

    private ServerProcess(String role, Path output, Process process, String address) {
        this.role = role;
        this.output = output;
        this.process = process;
        this.address = address;
    }

    /** Starts {@code crail ROLE arguments...} and waits until it says that it serves. */
    static ServerProcess start(String role, Path output, List<String> arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-ea:io.crail...",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.crail.cli.Main",
                                role));
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            return new ServerProcess(role, output, process, awaitReady(role, output, process));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String awaitReady(String role, Path output, Process process) {
        String prefix = "crail " + role + " ready on ";
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < until) {
            String printed = read(output);
            // The last line may be there in part.
            Optional<String> ready =
                    printed.substring(0, printed.lastIndexOf('\n') + 1)
                            .lines()
                            .filter(line -> line.startsWith(prefix))
                            .findFirst();
            if (ready.isPresent()) {
                return ready.get().substring(prefix.length()).trim();
            }
            try {
                if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw new AssertionError(role + " ended at once:\n" + read(output));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        process.destroyForcibly();
        throw new AssertionError(role + " was not ready in time:\n" + read(output));
    }

    private static String read(Path output) {
        try {
            return Files.exists(output) ? Files.readString(output) : "";
        } catch (IOException e) {
            return "(" + e + ")";
        }
    }

    /** host:port as printed. */
    String address() {
        return address;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String log() {
        return role + " " + process.pid() + ":\n" + read(output);
    }

    /** kill -9. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM; the server must end by itself. */
    int stop() {
        process.destroy();
        awaitEnd();
        return process.exitValue();
    }

    void pause() {
        Signals.stop(process);
    }

    void resume() {
        Signals.resume(process);
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(role + " did not end:\n" + read(output));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
