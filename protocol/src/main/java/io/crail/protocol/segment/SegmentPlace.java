// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.segment;

import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the segment files of a storage server are, when they are not in its own directory: a file
 * of its directory names the place. Files of hugetlbfs can be mapped, but not written, so identity,
 * lock and Unix socket cannot be there; and who removes the server's directory, perhaps long after
 * the server was killed, must find the pages that it holds elsewhere.
 *
 * <p>Not thread-safe with the server that owns the directory: it must be locked, or its server
 * ended.
 *
 * @param server the server's own directory
 */
public record SegmentPlace(Path server) {
    /** Name of the file that names the place. */
    public static final String FILE = "segments";

    /** Name of the lock in both directories. */
    public static final String LOCK = "lock";

    /**
     * The other directory; empty if the segments are in the server's own.
     *
     * @throws CorruptDataException if the file names no absolute path
     */
    public Optional<Path> elsewhere() throws IOException {
        String text;
        try {
            text = Files.readString(server.resolve(FILE), StandardCharsets.UTF_8).strip();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (!text.startsWith("/") || text.indexOf('\0') >= 0) {
            throw new CorruptDataException(
                    server.resolve(FILE)
                            + " names no directory; remove "
                            + server
                            + " to start with an empty server");
        }
        return Optional.of(Path.of(text));
    }

    /** Notes that the segments will be in another directory. */
    public void put(Path elsewhere) throws IOException {
        Path next = server.resolve(FILE + ".new");
        Files.writeString(next, elsewhere.toAbsolutePath() + "\n", StandardCharsets.UTF_8);
        Files.move(next, server.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Notes that they will be in the server's own directory. */
    public void clear() throws IOException {
        Files.deleteIfExists(server.resolve(FILE));
    }

    /** Whether a directory has segment files; one that is not there has none. */
    public static boolean hasSegments(Path directory) throws IOException {
        return !segments(directory).isEmpty();
    }

    /** The segment files of a directory, in no order; none if it is not there. */
    public static List<Path> segments(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream =
                Files.newDirectoryStream(directory, SegmentLayout.FILE_PREFIX + "[0-9]*")) {
            stream.forEach(files::add);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return files;
    }

    /**
     * Removes the segment files of another directory, its lock, and itself if nothing else is in
     * it.
     */
    public static void remove(Path elsewhere) throws IOException {
        for (Path file : segments(elsewhere)) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(elsewhere.resolve(LOCK));
        try {
            Files.deleteIfExists(elsewhere);
        } catch (DirectoryNotEmptyException e) {
            // Somebody else has put a file there: it is his.
        }
    }

    /**
     * Removes what all servers below a directory have elsewhere: the first step of who removes the
     * directory itself.
     *
     * @param directory a server's directory, or one with directories of servers in it; need not
     *     exist
     */
    public static void removeElsewhereOfAll(Path directory) throws IOException {
        List<Path> servers = new ArrayList<>(List.of(directory));
        try (Stream<Path> below = Files.list(directory)) {
            below.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .forEach(servers::add);
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path server : servers) {
            Optional<Path> elsewhere = new SegmentPlace(server).elsewhere();
            if (elsewhere.isPresent()) {
                remove(elsewhere.get());
            }
        }
    }
}
