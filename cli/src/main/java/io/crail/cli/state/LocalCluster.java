// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.state;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of local processes, as its directory describes it: {@code cluster} holds the namenode's
 * address, the number of storage servers and the place of their data, {@code PROCESS.pid} tells
 * each process.
 *
 * @param directory its directory
 * @param namenode where its namenode listens
 * @param servers number of its storage servers
 * @param data where their segments are
 */
public record LocalCluster(Path directory, Endpoint namenode, int servers, Path data) {
    /** The name of a cluster that was given none. */
    public static final String DEFAULT = "default";

    /** The process name of the namenode; storage servers are {@code storage-0}, {@code -1}, ... */
    public static final String NAMENODE = "namenode";

    private static final String FILE = "cluster";

    /** The cluster of that name if it was started and its namenode still runs, else null. */
    public static @Nullable LocalCluster find(StateDirectory state, String name)
            throws InvalidArgumentException {
        LocalCluster cluster = read(state.cluster(name));
        return cluster != null && cluster.process(NAMENODE) != null ? cluster : null;
    }

    /** What a directory describes, whether it runs or not; null if nothing or nonsense. */
    public static @Nullable LocalCluster read(Path directory) {
        try {
            if (!Files.exists(directory) || !StateDirectory.isOurs(directory)) {
                return null;
            }
            List<String> lines = Files.readAllLines(directory.resolve(FILE));
            return lines.size() < 3
                    ? null
                    : new LocalCluster(
                            directory,
                            Endpoint.parse(lines.get(0)),
                            Integer.parseInt(lines.get(1)),
                            Path.of(lines.get(2)));
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Writes the description; from then on other commands find the cluster. */
    public void write() throws IOException {
        AtomicFile.write(directory.resolve(FILE), namenode + "\n" + servers + "\n" + data + "\n");
    }

    /** Names of all its processes, storage servers first: the order in which to stop them. */
    public List<String> processNames() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            names.add(storageName(i));
        }
        names.add(NAMENODE);
        return names;
    }

    public static String storageName(int index) {
        return "storage-" + index;
    }

    /** The process of that name if it runs, else null. */
    public @Nullable ProcessHandle process(String name) {
        ProcessMark mark = ProcessMark.read(pidFile(directory, name));
        return mark == null ? null : mark.process().orElse(null);
    }

    public static Path pidFile(Path directory, String process) {
        return directory.resolve(process + ".pid");
    }

    public static Path logFile(Path directory, String process) {
        return directory.resolve(process + ".log");
    }
}
