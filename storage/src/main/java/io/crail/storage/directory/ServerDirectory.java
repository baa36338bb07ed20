// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.directory;

import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.protocol.segment.SegmentPlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A locked directory, mode 0700.
 *
 * <p>Thread-safe.
 */
public final class ServerDirectory implements AutoCloseable {
    private static final Set<PosixFilePermission> FILE_MODE =
            PosixFilePermissions.fromString("rw-------");
    private static final String IDENTITY = "identity";
    private static final String EPOCH = "epoch";

    private final Path path;
    private final DirectoryLock lock;
    private final UUID identity;
    private Epoch epoch;

    /** An epoch counts for one cluster. */
    private record Epoch(UUID cluster, long number) {}

    private ServerDirectory(Path path, DirectoryLock lock) throws IOException {
        this.path = path;
        this.lock = lock;
        this.identity = readOrMakeIdentity();
        this.epoch = readEpoch();
    }

    /**
     * A default place in shared memory for a server that is told none, by user and {@code name}.
     */
    public static Path inSharedMemory(String name) throws CrailException {
        return Path.of("/dev/shm", "crail-" + PrivateDirectory.userId(), name);
    }

    /**
     * Makes the directory if need be, and locks it.
     *
     * @param format whether to remove what is in it: the server is then a new one, with a new
     *     identity, and what the old one held is lost
     * @throws CrailException if another server uses it, or it belongs to another user
     */
    public static ServerDirectory open(Path path, boolean format) throws CrailException {
        try {
            PrivateDirectory.make(path);
            DirectoryLock lock = DirectoryLock.take(path);
            try {
                if (format) {
                    removeElsewhere(path);
                    removeFiles(path, DirectoryLock.FILE);
                }
                return new ServerDirectory(path, lock);
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw failed("cannot open the storage directory " + path, e);
        }
    }

    public Path path() {
        return path;
    }

    /** The server's identity, the same for the life of the directory. */
    public UUID identity() {
        return identity;
    }

    /** The highest epoch seen of a namenode of {@code cluster}, 0 = none. */
    public synchronized long highestEpoch(UUID cluster) {
        return epoch.cluster.equals(cluster) ? epoch.number : 0;
    }

    /** Remembers an epoch, over a restart, too; a lower one of the same cluster is ignored. */
    public synchronized void raiseEpoch(UUID cluster, long seen) throws CrailException {
        if (seen <= highestEpoch(cluster)) {
            return;
        }
        try {
            replace(path.resolve(EPOCH), cluster + " " + seen);
        } catch (IOException e) {
            throw failed("cannot store the namenode's epoch in " + path, e);
        }
        epoch = new Epoch(cluster, seen);
    }

    /** Unlocks the directory. */
    @Override
    public void close() {
        lock.close();
    }

    /** Removes all files and the directory, segments elsewhere, too, then unlocks it. */
    public void removeAndClose() throws CrailException {
        try {
            removeElsewhere(path);
            removeFiles(path, "");
            Files.delete(path);
        } catch (IOException e) {
            throw failed("cannot remove " + path, e);
        } finally {
            close();
        }
    }

    /** What segments lie elsewhere goes first: without the directory nobody knows of them. */
    private static void removeElsewhere(Path path) throws IOException {
        Optional<Path> elsewhere = new SegmentPlace(path).elsewhere();
        if (elsewhere.isPresent()
                && Files.isDirectory(elsewhere.get(), LinkOption.NOFOLLOW_LINKS)) {
            DirectoryLock held = DirectoryLock.take(elsewhere.get());
            try {
                SegmentPlace.remove(elsewhere.get());
            } finally {
                held.close();
            }
        }
    }

    private static void removeFiles(Path path, String except) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
            for (Path file : stream) {
                if (!String.valueOf(file.getFileName()).equals(except)) {
                    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                        removeFiles(file, "");
                    }
                    Files.delete(file);
                }
            }
        }
    }

    private UUID readOrMakeIdentity() throws IOException {
        Path file = path.resolve(IDENTITY);
        String stored = read(file);
        if (stored == null) {
            UUID made = UUID.randomUUID();
            replace(file, made.toString());
            return made;
        }
        try {
            return UUID.fromString(stored);
        } catch (IllegalArgumentException e) {
            throw damaged(file, e);
        }
    }

    private Epoch readEpoch() throws IOException {
        Path file = path.resolve(EPOCH);
        String stored = read(file);
        if (stored == null) {
            return new Epoch(new UUID(0, 0), 0);
        }
        try {
            int space = stored.indexOf(' ');
            return new Epoch(
                    UUID.fromString(stored.substring(0, Math.max(0, space))),
                    Long.parseLong(stored.substring(space + 1)));
        } catch (IllegalArgumentException e) {
            throw damaged(file, e);
        }
    }

    private static @Nullable String read(Path file) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII).strip();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static void replace(Path file, String content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(FILE_MODE));
        Files.writeString(next, content + "\n", StandardCharsets.US_ASCII);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static CorruptDataException damaged(Path file, RuntimeException cause) {
        return new CorruptDataException(
                file + " is damaged; remove the directory to start with an empty server", cause);
    }

    private static CrailException failed(String what, IOException e) {
        return e instanceof CrailException known
                ? known
                : new InternalException(what + ": " + e, e);
    }
}
