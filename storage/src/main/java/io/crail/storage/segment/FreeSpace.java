// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import java.io.File;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Tells how much fits into a directory's file system. */
@FunctionalInterface
public interface FreeSpace {
    /**
     * What the file system itself says; one without a size says nothing. Asked by statvfs and not
     * through {@code FileStore}, which fails where the mount table does not show the root (chroot,
     * some sandboxes).
     */
    FreeSpace OF_FILE_SYSTEM =
            directory -> {
                File file = directory.toFile();
                if (!file.exists()) {
                    throw new NoSuchFileException(directory.toString());
                }
                return file.getTotalSpace() == 0 ? Long.MAX_VALUE : file.getUsableSpace();
            };

    long usableBytes(Path directory) throws IOException;

    /** Says that {@code bytes} do not fit into a directory, and what to do. */
    default String shortage(Path directory, long bytes) throws IOException {
        return "segments need "
                + bytes
                + " bytes in "
                + directory
                + ", where "
                + usableBytes(directory)
                + " are free; lower the capacity, choose another directory, or enlarge the file"
                + " system (mount -o remount,size=... /dev/shm; for a container: --shm-size=..., its"
                + " default is 64 MiB)";
    }
}
