// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import io.crail.cli.Main;
import io.crail.client.local.ReadyLine;
import io.crail.system.process.Ports;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Our target on this host, {@code crail nvmf target} in a process of its own that can be killed.
 * What it logs stays in {@code target/vm}, in a file that is named after its file.
 */
final class HostTarget implements Target {
    private static final Duration START_BOUND = Duration.ofMinutes(1);
    private static final long END_SECONDS = 60;

    private final Path file;
    private final long bytes;
    private final int blockBytes;
    private final String nqn;
    private final String hosts;
    private final int port;
    private @Nullable Process process;

    private HostTarget(Path file, long bytes, int blockBytes, String nqn, String hosts, int port) {
        this.file = file;
        this.bytes = bytes;
        this.blockBytes = blockBytes;
        this.nqn = nqn;
        this.hosts = hosts;
        this.port = port;
    }

    /** Serves a new file to any host. */
    static HostTarget start(Path file, long bytes, int blockBytes, String nqn) throws IOException {
        return start(file, bytes, blockBytes, nqn, "--any-host");
    }

    /** Serves a new file to one host. */
    static HostTarget startFor(String hostNqn, Path file, long bytes, String nqn)
            throws IOException {
        return start(file, bytes, 4096, nqn, "--allow-host=" + hostNqn);
    }

    private static HostTarget start(Path file, long bytes, int blockBytes, String nqn, String hosts)
            throws IOException {
        HostTarget target = new HostTarget(file, bytes, blockBytes, nqn, hosts, Ports.free());
        Files.createDirectories(target.log().toAbsolutePath().getParent());
        Files.deleteIfExists(target.log());
        target.restart();
        return target;
    }

    @Override
    public String address() {
        return VirtualMachine.HOST;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String nqn() {
        return nqn;
    }

    @Override
    public void restart() {
        if (process != null) {
            throw new IllegalStateException("it runs already");
        }
        try {
            Process started =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx256m",
                                    "-XX:+UseSerialGC",
                                    "-ea:io.crail...",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    Main.class.getName(),
                                    "nvmf",
                                    "target",
                                    "--file=" + file,
                                    "--size=" + bytes,
                                    "--block-size=" + blockBytes,
                                    "--port=" + port,
                                    "--nqn=" + nqn,
                                    hosts)
                            .redirectErrorStream(true)
                            .start();
            process = started;
            Output lines = new Output();
            Thread reader = new Thread(() -> read(started, lines), "target-" + started.pid());
            reader.setDaemon(true);
            reader.start();
            String ready = ReadyLine.of("nvmf target", "127.0.0.1:" + port);
            if (lines.await(ready::equals, START_BOUND).isEmpty()) {
                kill();
                throw new AssertionError("the target did not start:\n" + lines.text());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the target started", e);
        }
    }

    private Path log() {
        return Path.of("target", "vm", file.getFileName() + ".log");
    }

    private void read(Process running, Output lines) {
        try (BufferedReader reader =
                        new BufferedReader(
                                new InputStreamReader(
                                        running.getInputStream(), StandardCharsets.UTF_8));
                BufferedWriter log =
                        Files.newBufferedWriter(
                                log(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            String line;
            while ((line = reader.readLine()) != null) {
                lines.add(line);
                log.write(line);
                log.newLine();
                log.flush();
            }
        } catch (IOException e) {
            lines.add("(reading its output failed: " + e + ")");
        } finally {
            lines.end();
        }
    }

    @Override
    public void kill() {
        Process running = process;
        process = null;
        if (running == null) {
            return;
        }
        running.destroyForcibly();
        try {
            if (!running.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the killed target does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the target ended", e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
