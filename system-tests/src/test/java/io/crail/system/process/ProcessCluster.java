// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.process;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.message.ServerState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A namenode and storage servers as processes on loopback, with directories of their own that go
 * with {@link #close}. Not thread-safe.
 */
public final class ProcessCluster implements AutoCloseable {
    private static final Duration SETTLE = Duration.ofSeconds(60);

    private final Path directory;
    private final Path memory;
    private final List<String> options;
    private final String capacity;
    private final String flash;
    private final Path flashFile;
    private final int namenodePort;
    private final int[] storagePorts;
    private final int[] storageClasses;
    private final List<String> locations;
    private final ServerProcess[] storage;
    private ServerProcess namenode;
    private int starts;

    private ProcessCluster(Builder builder) throws IOException {
        directory = Files.createTempDirectory("crail-system");
        Path shared = Path.of("/dev/shm");
        memory =
                Files.isWritable(shared)
                        ? Files.createTempDirectory(shared, "crail-system")
                        : Files.createTempDirectory("crail-system-memory");
        options = List.copyOf(builder.options);
        capacity = builder.capacity;
        flash = builder.flash;
        flashFile =
                (builder.flashDirectory == null ? directory : builder.flashDirectory)
                        .resolve("crail.img");
        storageClasses = builder.storageClasses.clone();
        locations = List.copyOf(builder.locations);
        namenodePort = Ports.free();
        int servers = builder.servers + (flash.isEmpty() ? 0 : 1);
        storagePorts = new int[servers];
        storage = new ServerProcess[servers];
        namenode = startNamenode();
        for (int i = 0; i < storage.length; i++) {
            storagePorts[i] = Ports.free();
            storage[i] = startStorage(i);
        }
        awaitLive(storage.length);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects options; not thread-safe. */
    public static final class Builder {
        private final List<String> options = new ArrayList<>();
        private int servers = 2;
        private String capacity = "64 MiB";
        private String flash = "";
        private @Nullable Path flashDirectory;
        private int[] storageClasses = {};
        private List<String> locations = List.of();

        public Builder servers(int count) {
            servers = count;
            return this;
        }

        /** Of each server. */
        public Builder capacity(String size) {
            capacity = size;
            return this;
        }

        /** One more server, the last one, with a file of this size as flash, in class 1. */
        public Builder flash(String size) {
            flash = size;
            return this;
        }

        /** Where the file of the flash server is, instead of the cluster's own directory. */
        public Builder flashDirectory(Path place) {
            flashDirectory = place;
            return this;
        }

        /**
         * The storage class of each server, as many as there are; without it all are of class 0.
         */
        public Builder storageClasses(int... classes) {
            storageClasses = classes.clone();
            servers = classes.length;
            return this;
        }

        /** The location class of each server, as many as there are. */
        public Builder locations(String... classes) {
            locations = List.of(classes);
            servers = classes.length;
            return this;
        }

        /** A configuration key for all servers. */
        public Builder set(String key, String value) {
            options.add("-D");
            options.add(key + "=" + value);
            return this;
        }

        public ProcessCluster start() {
            try {
                return new ProcessCluster(this);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Path output(String name) {
        return directory.resolve(name + "-" + ++starts + ".log");
    }

    private ServerProcess startNamenode() {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--dir",
                                directory.resolve("metadata").toString(),
                                "--host",
                                "127.0.0.1",
                                "--port",
                                Integer.toString(namenodePort)));
        arguments.addAll(options);
        return ServerProcess.start("namenode", output("namenode"), arguments);
    }

    private ServerProcess startStorage(int index) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--namenode",
                                namenodeAddress(),
                                "--dir",
                                memory.resolve("server-" + index).toString(),
                                "--capacity",
                                isFlash(index) ? flash : capacity,
                                "--segment-size",
                                "16 MiB",
                                "--host",
                                "127.0.0.1",
                                "--port",
                                Integer.toString(storagePorts[index])));
        if (isFlash(index)) {
            arguments.addAll(List.of("--tier", "nvmf", "--file", flashFile().toString()));
        } else if (storageClasses.length > 0) {
            arguments.add("--class");
            arguments.add(Integer.toString(storageClasses[index]));
        }
        if (index < locations.size()) {
            arguments.add("-D");
            arguments.add("storage.location=" + locations.get(index));
        }
        arguments.addAll(options);
        return ServerProcess.start("storage", output("storage-" + index), arguments);
    }

    private boolean isFlash(int index) {
        return !flash.isEmpty() && index == storage.length - 1;
    }

    /** Where the blocks of the flash server are. */
    public Path flashFile() {
        return flashFile;
    }

    public String namenodeAddress() {
        return "127.0.0.1:" + namenodePort;
    }

    public String storageAddress(int index) {
        return "127.0.0.1:" + storagePorts[index];
    }

    public ClientConfig.Builder clientConfig() {
        return ClientConfig.builder()
                .namenodes(List.of(namenodeAddress()))
                .clientName("system-test")
                .deadline(Duration.ofSeconds(20));
    }

    public CrailClient client() throws CrailException {
        return CrailClient.connect(clientConfig().build());
    }

    /** Threads of the namenode that serve its clients. */
    public Threads namenodeLoops() {
        return new Threads(namenode.pid(), "crail-namenode");
    }

    /** Threads of a storage server that serve its clients. */
    public Threads storageLoops(int index) {
        return new Threads(storage[index].pid(), "crail-storage-i");
    }

    public void killNamenode() {
        namenode.kill();
    }

    public void restartNamenode() {
        if (namenode.isAlive()) {
            throw new IllegalStateException("the namenode is alive");
        }
        namenode = startNamenode();
    }

    public void killStorage(int index) {
        storage[index].kill();
    }

    public int stopStorage(int index) {
        return storage[index].stop();
    }

    public int stopNamenode() {
        return namenode.stop();
    }

    public void restartStorage(int index) {
        if (storage[index].isAlive()) {
            throw new IllegalStateException("storage server " + index + " is alive");
        }
        storage[index] = startStorage(index);
    }

    /** At another port than before. */
    public void restartStorageElsewhere(int index) {
        try {
            storagePorts[index] = Ports.free();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restartStorage(index);
    }

    public void pauseStorage(int index) {
        storage[index].pause();
    }

    public void resumeStorage(int index) {
        storage[index].resume();
    }

    public void pauseNamenode() {
        namenode.pause();
    }

    public void resumeNamenode() {
        namenode.resume();
    }

    /** Waits until so many servers are live with all their capacity. */
    public void awaitLive(int servers) {
        await(
                servers + " live storage servers",
                client -> {
                    var statistics = client.statistics();
                    long live =
                            statistics.servers().stream()
                                    .filter(s -> s.state() == ServerState.LIVE.wire())
                                    .filter(s -> s.capacity() > 0)
                                    .count();
                    return live == servers;
                });
    }

    /** A condition that asks the cluster. */
    @FunctionalInterface
    public interface Condition {
        boolean holds(CrailClient client) throws CrailException;
    }

    /** Asks again and again until the condition holds; fails with the servers' logs. */
    public void await(String what, Condition condition) {
        long until = System.nanoTime() + SETTLE.toNanos();
        Exception last = null;
        try (CrailClient client = client()) {
            while (System.nanoTime() < until) {
                try {
                    if (condition.holds(client)) {
                        return;
                    }
                } catch (CrailException e) {
                    last = e;
                }
                Thread.sleep(10); // A poll interval; the condition decides.
            }
        } catch (CrailException e) {
            last = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("never: " + what + "\n" + logs(), last);
    }

    /** What the servers have printed since they were last started. */
    public String logs() {
        StringBuilder all = new StringBuilder(namenode.log());
        for (ServerProcess server : storage) {
            if (server != null) {
                all.append(server.log());
            }
        }
        return all.toString();
    }

    @Override
    public void close() {
        for (ServerProcess server : storage) {
            if (server != null) {
                server.kill();
            }
        }
        namenode.kill();
        removeTree(memory);
        removeTree(directory);
    }

    private static void removeTree(Path root) {
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
