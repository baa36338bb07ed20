// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.target.backing.DirectIo;
import java.nio.file.Path;

/**
 * One namespace.
 *
 * @param path a file or a block device
 * @param bytes size of the file, a multiple of 4096: it is created if it does not exist; 0 serves
 *     what exists with the size that it has
 * @param blockBytes logical block, 512 or 4096
 * @param direct whether to go past the page cache
 * @param allocation how a new file gets its space
 */
public record NamespaceConfig(
        Path path, long bytes, int blockBytes, DirectIo direct, Allocation allocation) {
    public NamespaceConfig {
        if (bytes < 0 || bytes % 4096 != 0) {
            throw new IllegalArgumentException(
                    "the size of " + path + " must be a multiple of 4096, not " + bytes);
        }
        if (blockBytes != 512 && blockBytes != 4096) {
            throw new IllegalArgumentException(
                    "logical blocks of "
                            + path
                            + " must have 512 or 4096 bytes, not "
                            + blockBytes);
        }
    }

    /** A file with blocks of 4096 bytes, written before it is served, past the page cache. */
    public static NamespaceConfig of(Path path, long bytes) {
        return new NamespaceConfig(path, bytes, 4096, DirectIo.PREFERRED, Allocation.WRITTEN);
    }

    /** The same with another logical block. */
    public NamespaceConfig withBlockBytes(int value) {
        return new NamespaceConfig(path, bytes, value, direct, allocation);
    }

    /** The same with another choice of direct I/O. */
    public NamespaceConfig withDirect(DirectIo value) {
        return new NamespaceConfig(path, bytes, blockBytes, value, allocation);
    }

    /** The same with another way to get its space. */
    public NamespaceConfig withAllocation(Allocation value) {
        return new NamespaceConfig(path, bytes, blockBytes, direct, value);
    }
}
