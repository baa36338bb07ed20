// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.directory;

import io.crail.error.BusyException;
import io.crail.protocol.segment.SegmentPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a directory. The lock file is opened once and kept open: POSIX locks vanish when any
 * descriptor of the file is closed. It stays empty, so that hugetlbfs, whose files cannot be
 * written, has it, too. The kernel drops the lock when the process dies.
 *
 * <p>Thread-safe.
 */
public final class DirectoryLock implements AutoCloseable {
    static final String FILE = SegmentPlace.LOCK;

    private final Path path;
    private final FileChannel channel;

    private DirectoryLock(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Locks a directory, which must exist.
     *
     * @throws BusyException if another server has it
     */
    public static DirectoryLock take(Path path) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        path.resolve(FILE),
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        try {
            lock(path, channel);
            return new DirectoryLock(path, channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void lock(Path path, FileChannel channel) throws IOException {
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null; // Another server in this very process.
        }
        if (lock == null) {
            throw new BusyException(
                    "storage directory "
                            + path
                            + " is in use by another storage server; stop it or name another"
                            + " directory");
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing the lock of " + path, e);
        }
    }
}
