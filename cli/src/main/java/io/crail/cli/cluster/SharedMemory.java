// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.state.StateDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where local clusters have their segments. */
final class SharedMemory {
    private static final Path ROOT = Path.of("/dev/shm");

    private SharedMemory() {}

    /** The directory for a cluster of that name, if the machine has shared memory as files. */
    static Optional<Path> directory(String cluster) {
        return Files.isDirectory(ROOT) && Files.isWritable(ROOT)
                ? Optional.of(ROOT.resolve("crail-" + StateDirectory.userName() + "-" + cluster))
                : Optional.empty();
    }
}
