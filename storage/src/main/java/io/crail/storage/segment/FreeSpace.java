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
     * What the file system itself says. A file system without a size (hugetlbfs mounted without
     * one) says nothing. Asked by statvfs and not through {@code FileStore}, which fails where the
     * mount table does not show the root (chroot, some sandboxes).
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
}
