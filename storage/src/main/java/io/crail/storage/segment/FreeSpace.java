// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells how much fits into a directory's file system. */
@FunctionalInterface
public interface FreeSpace {
    /**
     * What the file system itself says. A file system without a size (hugetlbfs mounted without
     * one) says nothing.
     */
    FreeSpace OF_FILE_SYSTEM =
            directory -> {
                FileStore store = Files.getFileStore(directory);
                return store.getTotalSpace() == 0 ? Long.MAX_VALUE : store.getUsableSpace();
            };

    long usableBytes(Path directory) throws IOException;
}
