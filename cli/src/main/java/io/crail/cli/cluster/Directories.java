// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.protocol.segment.SegmentPlace;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removes directories of our own making. */
final class Directories {
    private Directories() {}

    /**
     * Removes the data of all storage servers that have their directories in one, and it itself.
     */
    static void removeData(Path directory) throws IOException {
        SegmentPlace.removeElsewhereOfAll(directory);
        remove(directory);
    }

    /** Removes a directory with all below it, if it is there. Links are removed, not followed. */
    static void remove(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException error)
                            throws IOException {
                        if (error instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE; // another removal was faster
                        }
                        throw error;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException error) throws IOException {
                        if (error != null) {
                            throw error;
                        }
                        Files.deleteIfExists(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
