// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.awaitility.Awaitility.await;

import io.crail.storage.StorageConfig;
import io.crail.storage.StorageServer;
import io.crail.storage.registration.NamenodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A storage server in a process that can be killed. */
final class StorageProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String READY = "ready";

    private final Process process;

    private StorageProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts a server; returns when all its capacity is on offer.
     *
     * @param directory an empty one for its files
     * @param namenode {@code host:port}
     */
    static StorageProcess start(Path directory, String namenode, int capacity) throws IOException {
        Path log = directory.resolve("storage.log");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                StorageProcess.class.getName(),
                                namenode,
                                directory.resolve("segments").toString(),
                                Integer.toString(capacity))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        await().atMost(LIMIT)
                .until(() -> !process.isAlive() || Files.readAllLines(log).contains(READY));
        if (!process.isAlive()) {
            throw new AssertionError(Files.readString(log));
        }
        return new StorageProcess(process);
    }

    /**
     * The process: serves until its standard input ends.
     *
     * @param arguments namenode, directory, capacity
     */
    public static void main(String[] arguments) throws IOException {
        int capacity = Integer.parseInt(arguments[2]);
        StorageConfig config =
                StorageConfig.builder(NamenodeAddress.parse(arguments[0]))
                        .bind("127.0.0.1", 0)
                        .hostName("alone")
                        .capacity(capacity)
                        .segmentSize(capacity)
                        .directory(Path.of(arguments[1]))
                        .build();
        try (StorageServer server = StorageServer.start(config)) {
            server.awaitFilled(LIMIT);
            System.out.println(READY);
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nobody writes; the end is what counts.
            }
        }
    }

    /** SIGSTOP. */
    void pause() {
        Signals.stop(process);
    }

    /** SIGCONT. */
    void resume() {
        Signals.resume(process);
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
