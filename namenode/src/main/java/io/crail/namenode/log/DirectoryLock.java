// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.AccessDeniedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive lock on a metadata directory. The kernel holds it as long as the process lives,
 * stopped or not, and drops it on kill -9.
 *
 * <p>POSIX drops all locks of a process on a file when the process closes <em>any</em> descriptor
 * of it. So the file must not be opened a second time in this process, not even to find out that it
 * is locked: that is what the process-wide set of held locks is for.
 */
final class DirectoryLock implements Closeable {
    private static final Set<Path> HELD_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();
    private static final int MAX_PID_DIGITS = 20;

    private final Path path;
    private final FileChannel channel;

    private DirectoryLock(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Takes the lock without waiting.
     *
     * @throws AccessDeniedException if another namenode holds it, naming its process
     */
    static DirectoryLock acquire(Path directory) throws IOException {
        Path path = directory.toRealPath().resolve("lock");
        if (!HELD_BY_THIS_PROCESS.add(path)) {
            throw held(directory, "this very process, " + ProcessHandle.current().pid());
        }
        FileChannel channel = null;
        try {
            channel =
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw held(directory, "process " + readPid(channel));
            }
            writePid(channel);
            return new DirectoryLock(path, channel);
        } catch (OverlappingFileLockException e) {
            release(path, channel);
            throw held(directory, "this very process, " + ProcessHandle.current().pid());
        } catch (IOException | RuntimeException e) {
            release(path, channel);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        release(path, channel);
    }

    private static void release(Path path, @Nullable FileChannel channel) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            HELD_BY_THIS_PROCESS.remove(path);
        }
    }

    private static void writePid(FileChannel channel) throws IOException {
        byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(pid), 0);
    }

    private static String readPid(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(MAX_PID_DIGITS);
        channel.read(pid, 0);
        String text = new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII).strip();
        return text.matches("[0-9]+") ? text : "unknown";
    }

    private static AccessDeniedException held(Path directory, String holder) {
        return new AccessDeniedException(
                "metadata directory "
                        + directory
                        + " is in use by another namenode ("
                        + holder
                        + "); stop that one first, or name another directory");
    }
}
