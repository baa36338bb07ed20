// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.error.CancelledException;
import io.crail.error.InternalException;
import io.crail.error.TimeoutException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A namenode and a datanode of HDFS in processes of their own, with their state in memory if there
 * is a file system for it. They live as long as this process holds their standard input: also when
 * it is killed they end, and their files go.
 */
final class HdfsServers implements AutoCloseable {
    private static final String MAIN = "io.crail.bench.hdfs.HdfsPeerMain";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String READY = "ready ";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration END = Duration.ofSeconds(10);
    private static final int LAST_LINES = 5;

    private final Path jars;
    private final List<Server> servers = new ArrayList<>();
    private String namenode = "";

    private HdfsServers(Path jars) {
        this.jars = jars;
    }

    /**
     * One of the processes.
     *
     * @param state its directory, which it removes in the end
     * @param log what it said of errors
     */
    private record Server(Process process, Path state, Path log) {}

    /** Starts them. */
    static HdfsServers start(Path jars) throws IOException {
        HdfsServers servers = new HdfsServers(jars);
        boolean complete = false;
        try {
            servers.namenode = servers.start("namenode");
            servers.start("datanode", servers.namenode);
            complete = true;
            return servers;
        } finally {
            if (!complete) {
                servers.close();
            }
        }
    }

    /** Where the namenode listens. */
    URI uri() {
        return URI.create("hdfs://" + namenode + "/");
    }

    private String start(String role, String... arguments) throws IOException {
        Path parent =
                Files.isWritable(SHARED_MEMORY)
                        ? SHARED_MEMORY
                        : Path.of(System.getProperty("java.io.tmpdir"));
        Path state = Files.createTempDirectory(parent, "crail-bench-hdfs-");
        Path log = state.resolve("log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", jars.resolve("*").toString(), MAIN, role));
        command.add(state.toString());
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        } catch (IOException e) {
            remove(state);
            throw e;
        }
        Server server = new Server(process, state, log);
        servers.add(server);
        return address(server, role);
    }

    /** What it says when it serves; the log is read while it still lies there. */
    private static String address(Server server, String role) throws IOException {
        BufferedReader out = server.process.inputReader(StandardCharsets.UTF_8);
        CompletableFuture<String> line =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return String.valueOf(out.readLine());
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        try {
            String said = line.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (said.startsWith(READY)) {
                return said.substring(READY.length());
            }
            throw new InternalException(
                    "the %s of HDFS did not start%s".formatted(role, last(server)));
        } catch (ExecutionException e) {
            throw new InternalException("the " + role + " of HDFS did not start", e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException(
                    "the %s of HDFS did not start within %d s%s"
                            .formatted(role, PATIENCE.toSeconds(), last(server)),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        }
    }

    /** The end of what a server said of errors, to be put behind a message. */
    private static String last(Server server) {
        try {
            List<String> lines = Files.readAllLines(server.log);
            return ": "
                    + String.join(
                            "\n",
                            lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return "; its messages cannot be read: " + e;
        }
    }

    /** Ends them, the datanode first, and removes what they leave if they do not do it. */
    @Override
    public void close() throws IOException {
        for (int i = servers.size() - 1; i >= 0; i--) {
            Server server = servers.get(i);
            end(server.process);
            remove(server.state);
        }
        servers.clear();
    }

    private static void end(Process process) throws IOException {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(END.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void remove(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
