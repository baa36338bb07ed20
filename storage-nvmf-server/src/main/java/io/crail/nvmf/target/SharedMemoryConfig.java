// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import java.nio.file.Path;

/**
 * Where a target shares memory with hosts of its machine, for the data of their commands.
 *
 * @param directory of a file system in memory; exists, is readable by this user only, and is the
 *     target's alone, which removes it when it is closed
 * @param bytes that the target may share at a time, with all hosts together
 */
public record SharedMemoryConfig(Path directory, long bytes) {
    public SharedMemoryConfig {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes to share must be above zero, not " + bytes);
        }
    }
}
