// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import java.nio.file.Path;
import java.util.UUID;

/**
 * Where a target shares memory with hosts of its machine, for the data of their commands.
 *
 * @param directory of a file system in memory; exists, and is readable by this user only; other
 *     targets may share memory there, too
 * @param owner with which this target's files begin, and nobody else's; the same in its next life,
 *     which removes what a killed one has left
 * @param bytes that the target may share at a time, with all hosts together
 */
public record SharedMemoryConfig(Path directory, UUID owner, long bytes) {
    public SharedMemoryConfig {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes to share must be above zero, not " + bytes);
        }
    }
}
