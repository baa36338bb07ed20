// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.local;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of local processes, as its directory describes it: {@code cluster} holds a line for
 * each component of this record but the directory, the options last; {@code PROCESS.pid} tells each
 * process, {@code PROCESS.out} the address on which it serves or served.
 *
 * @param directory its directory
 * @param namenode where its namenode listens
 * @param servers number of its storage servers in memory
 * @param data where their segments are
 * @param capacity bytes that each of them offers
 * @param flash its flash tier, which has a storage server of its own, if it has one
 * @param options further options that all its processes were given
 */
public record LocalCluster(
        Path directory,
        Endpoint namenode,
        int servers,
        Path data,
        ByteSize capacity,
        Optional<LocalFlash> flash,
        List<String> options) {
    /** The name of a cluster that was given none. */
    public static final String DEFAULT = "default";

    /** The process name of the namenode; storage servers are {@code storage-0}, {@code -1}, ... */
    public static final String NAMENODE = "namenode";

    /** The process name of the storage server of the flash tier. */
    public static final String FLASH = "flash";

    private static final String STORAGE = "storage";
    private static final String FILE = "cluster";
    private static final int LINES = 4;

    public LocalCluster {
        options = List.copyOf(options);
    }

    /** A cluster without a flash tier. */
    public LocalCluster(
            Path directory,
            Endpoint namenode,
            int servers,
            Path data,
            ByteSize capacity,
            List<String> options) {
        this(directory, namenode, servers, data, capacity, Optional.empty(), options);
    }

    /** Where the namenode of this user's cluster of the default name listens, if it runs. */
    public static Optional<Endpoint> runningNamenode(Map<String, String> environment)
            throws InvalidArgumentException {
        return Optional.ofNullable(find(StateDirectory.ofUser(environment), DEFAULT))
                .map(LocalCluster::namenode);
    }

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
            return lines.size() < LINES ? null : of(directory, lines);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private static LocalCluster of(Path directory, List<String> lines) {
        List<String> rest = lines.subList(LINES, lines.size());
        Optional<LocalFlash> flash =
                rest.isEmpty() ? Optional.empty() : LocalFlash.parse(rest.get(0));
        return new LocalCluster(
                directory,
                Endpoint.parse(lines.get(0)),
                Integer.parseInt(lines.get(1)),
                Path.of(lines.get(2)),
                ByteSize.parse(lines.get(3)),
                flash,
                rest.subList(flash.isPresent() ? 1 : 0, rest.size()));
    }

    /**
     * Writes the description; from then on other commands find the cluster.
     *
     * @throws InvalidArgumentException if an option is more than a line
     */
    public void write() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(namenode.toString());
        lines.add(Integer.toString(servers));
        lines.add(data.toString());
        lines.add(capacity.toString());
        flash.ifPresent(tier -> lines.add(tier.line()));
        for (String option : options) {
            if (option.lines().count() != 1) {
                throw new InvalidArgumentException(
                        "'" + option + "': an option of a local cluster is one line");
            }
            lines.add(option);
        }
        AtomicFile.write(directory.resolve(FILE), String.join("\n", lines) + "\n");
    }

    /** Names of all its processes, storage servers first: the order in which to stop them. */
    public List<String> processNames() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            names.add(storageName(i));
        }
        if (flash.isPresent()) {
            names.add(FLASH);
        }
        names.add(NAMENODE);
        return names;
    }

    public static String storageName(int index) {
        return STORAGE + "-" + index;
    }

    /** What a process of that name does: the command that it runs. */
    public static String role(String process) {
        return process.equals(NAMENODE) ? NAMENODE : STORAGE;
    }

    /** The process of that name if it runs, else null. */
    public @Nullable ProcessHandle process(String name) {
        ProcessMark mark = mark(name);
        return mark == null ? null : mark.process().orElse(null);
    }

    /** What tells the process of that name from others, whether it runs or not. */
    public @Nullable ProcessMark mark(String name) {
        return ProcessMark.read(pidFile(directory, name));
    }

    /** Where a process said that it serves, when it was last started. */
    public static Optional<Endpoint> address(Path directory, String process) {
        try {
            return ReadyLine.findAddress(
                    Files.readString(outputFile(directory, process)), role(process));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Where a process said that it shows its status, when it was last started. */
    public static Optional<String> statusUrl(Path directory, String process) {
        try {
            return ReadyLine.findStatus(
                    Files.readString(outputFile(directory, process)), role(process));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public static Path pidFile(Path directory, String process) {
        return directory.resolve(process + ".pid");
    }

    public static Path logFile(Path directory, String process) {
        return directory.resolve(process + ".log");
    }

    /** What it prints: its ready line. */
    public static Path outputFile(Path directory, String process) {
        return directory.resolve(process + ".out");
    }
}
