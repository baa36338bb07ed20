// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The file operations that log and snapshots need: the seam where tests inject short writes, full
 * disks and failing syncs. Implementations are thread-safe.
 */
public interface MetadataFiles {
    /** Creates a file that must not exist, readable by its owner only. */
    MetadataFile create(Path path) throws IOException;

    /** Opens a file that must exist, for reading and writing. */
    MetadataFile open(Path path) throws IOException;

    boolean exists(Path path);

    /** The entries of a directory, in no particular order. */
    List<Path> list(Path directory) throws IOException;

    /** Renames atomically, replacing {@code to}. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file; one that does not exist is no error. */
    void delete(Path path) throws IOException;

    /** Makes created, renamed and deleted entries of a directory durable. */
    void syncDirectory(Path directory) throws IOException;

    /** The files of the operating system. */
    static MetadataFiles ofSystem() {
        return new SystemMetadataFiles();
    }
}
