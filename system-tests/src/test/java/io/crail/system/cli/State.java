// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import io.crail.client.local.LocalCluster;
import io.crail.client.local.ProcessMark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * What local clusters have below a state directory.
 *
 * @param root the directory
 */
record State(Path root) {
    /** Processes that a pid file names and that run. */
    List<ProcessHandle> processes() {
        return files(root, ".pid").stream().map(State::process).flatMap(Optional::stream).toList();
    }

    /** The process of that name of any cluster. */
    Optional<ProcessHandle> process(String name) {
        return files(root, name + ".pid").stream()
                .map(State::process)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<ProcessHandle> process(Path pidFile) {
        try {
            String content = Files.readString(pidFile);
            return ProcessHandle.of(Long.parseLong(content.substring(0, content.indexOf(' '))))
                    .filter(State::runs);
        } catch (IOException e) {
            return Optional.empty(); // it has just been removed
        }
    }

    /** A dead process whose exit code nobody has asked for does not run. */
    static boolean runs(ProcessHandle process) {
        return ProcessMark.of(process.pid()).isPresent();
    }

    /** kill -9; returns when it has ended. */
    static void kill(ProcessHandle process) {
        process.destroyForcibly();
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> !runs(process));
    }

    /** Names of the clusters that have left anything. */
    List<String> clusters() {
        Path clusters = root.resolve("crail");
        if (!Files.isDirectory(clusters)) {
            return List.of();
        }
        try (Stream<Path> below = Files.list(clusters)) {
            return below.map(path -> path.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Directories in shared memory of clusters whose name begins so. */
    static List<Path> sharedMemory(String cluster) {
        return directories(Path.of("/dev/shm"), cluster);
    }

    /** And those on disk. */
    static List<Path> disk(String cluster) {
        return directories(Path.of("/var/tmp"), cluster);
    }

    private static List<Path> directories(Path parent, String cluster) {
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(path -> path.getFileName().toString().contains("-" + cluster + "-"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends every server that a pid file names, and removes what its cluster has in shared memory
     * and on disk, whatever became of the command that started it.
     */
    void removeAll() {
        processes().forEach(State::kill);
        for (String name : clusters()) {
            LocalCluster cluster = LocalCluster.read(root.resolve("crail").resolve(name));
            if (cluster != null) {
                remove(cluster.data());
                cluster.flash().ifPresent(flash -> remove(flash.directory()));
            }
        }
    }

    private static void remove(Path data) {
        if (!Files.exists(data)) {
            return;
        }
        try (Stream<Path> all = Files.walk(data)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path root, String end) {
        try (Stream<Path> all = Files.find(root, 4, (path, a) -> path.toString().endsWith(end))) {
            return all.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // directories come and go meanwhile
        }
    }
}
