// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.session;

import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Session files that nobody has attached: their processes were killed between making the file and
 * saying so. A free lock proves that; but a file that is just being made is not locked yet, so only
 * files of some age are looked at. Who is stopped for that long between the two is refused when it
 * attaches, and holds no pin yet.
 *
 * <p>Some files are looked at in each turn, and none again before all others were. Not thread-safe:
 * under the lock of {@link Sessions}.
 */
final class StrayFiles {
    /** Age from which on a file that nobody attached is suspicious, and time between two turns. */
    static final Duration AGE = Duration.ofMinutes(1);

    /** Files opened in one turn. */
    static final int MAX_OPENED = 256;

    private static final Logger LOG = LoggerFactory.getLogger(StrayFiles.class);

    private final Path directory;
    private final Clock clock;
    private final Set<String> seen = new HashSet<>();

    /** Of clients in this JVM, whose locks would go if we closed a descriptor of their files. */
    private final Map<String, FileChannel> ours = new HashMap<>();

    private long nextMillis;

    StrayFiles(Path directory, Clock clock) {
        this.directory = directory;
        this.clock = clock;
        this.nextMillis = clock.millis() + AGE.toMillis();
    }

    /** Removes those whose process is gone, if it is time to look again. */
    void sweep(Predicate<String> attached) {
        long now = clock.millis();
        if (now < nextMillis) {
            return;
        }
        nextMillis = now + AGE.toMillis();
        int opened = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path path : all) {
                String name = String.valueOf(path.getFileName());
                if (!attached.test(name) && isOld(path, now) && seen.add(name)) {
                    if (opened == MAX_OPENED) {
                        seen.remove(name);
                        return;
                    }
                    opened++;
                    look(name, path);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("Cannot look for stray session files in {}: {}", directory, e.toString());
        }
        seen.clear();
    }

    private static boolean isOld(Path path, long now) throws IOException {
        try {
            return SessionLayout.isFileName(String.valueOf(path.getFileName()))
                    && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    && now - Files.getLastModifiedTime(path).toMillis() >= AGE.toMillis();
        } catch (NoSuchFileException e) {
            return false; // Its owner was faster.
        }
    }

    private void look(String name, Path path) {
        FileChannel channel = ours.remove(name);
        try {
            if (channel == null) {
                channel =
                        FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            }
            if (channel.tryLock(0, 1, false) != null) {
                LOG.info("Removing {}: its process is gone and never attached it", path);
                Files.deleteIfExists(path);
            }
            channel.close();
        } catch (OverlappingFileLockException e) {
            ours.put(name, channel);
        } catch (IOException e) {
            LOG.warn("Cannot look whether {} is a stray session file: {}", path, e.toString());
        }
    }
}
