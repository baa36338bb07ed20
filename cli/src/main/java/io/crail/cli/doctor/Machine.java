// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The machine that is looked at.
 *
 * @param root below which {@code proc}, {@code sys} and {@code dev} are, {@code /} unless in a test
 * @param spaces tells of file systems
 * @param names resolves names of hosts
 */
record Machine(Path root, Spaces spaces, Names names) {
    /**
     * A file system.
     *
     * @param type {@code tmpfs}
     * @param total its size in bytes
     * @param usable what this user may still fill
     * @param block bytes of a block; on a hugetlbfs, of a page
     */
    record Space(String type, long total, long usable, long block) {}

    /** Tells of the file system of a path that exists. */
    @FunctionalInterface
    interface Spaces {
        Space of(Path path) throws IOException;
    }

    /** Resolves names of hosts. */
    @FunctionalInterface
    interface Names {
        List<InetAddress> resolve(String host) throws UnknownHostException;
    }

    /** The machine that this process runs on. */
    static Machine here() {
        return new Machine(
                Path.of("/"), Machine::space, host -> List.of(InetAddress.getAllByName(host)));
    }

    private static Space space(Path path) throws IOException {
        FileStore store = Files.getFileStore(path);
        return new Space(
                store.type(), store.getTotalSpace(), store.getUsableSpace(), store.getBlockSize());
    }

    /** The content of a file such as {@code proc/meminfo}; empty if it cannot be read. */
    Optional<String> read(String file) {
        try {
            return Optional.of(Files.readString(root.resolve(file)));
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Names in a directory, sorted; none if it cannot be read. */
    List<String> list(String directory) {
        try (Stream<Path> entries = Files.list(root.resolve(directory))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    boolean exists(String file) {
        return Files.exists(root.resolve(file));
    }

    /** The file system on which a path is, or would be made. */
    Space spaceOf(Path path) throws IOException {
        return spaces.of(existing(path));
    }

    /** The path, or the nearest above it that exists. */
    static Path existing(Path path) {
        Path at = path.toAbsolutePath().normalize();
        while (!Files.exists(at, LinkOption.NOFOLLOW_LINKS) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }
}
