// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells how much fits into a directory's file system. */
@FunctionalInterface
public interface FreeSpace {
    /** What the file system itself says. */
    FreeSpace OF_FILE_SYSTEM = directory -> Files.getFileStore(directory).getUsableSpace();

    long usableBytes(Path directory) throws IOException;
}
