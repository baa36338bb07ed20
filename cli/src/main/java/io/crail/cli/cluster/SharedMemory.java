// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.state.StateDirectory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Where local clusters have their segments. */
final class SharedMemory {
    private static final Path ROOT = Path.of("/dev/shm");

    private SharedMemory() {}

    /**
     * The directory for a cluster whose state is in {@code state}, if the machine has shared memory
     * as files. Its name tells user and cluster, and the place of the state apart: clusters of one
     * name below two state directories must not meet in memory.
     */
    static Optional<Path> directory(Path state) {
        if (!Files.isDirectory(ROOT) || !Files.isWritable(ROOT)) {
            return Optional.empty();
        }
        CRC32C place = new CRC32C();
        place.update(state.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8));
        return Optional.of(
                ROOT.resolve(
                        String.format(
                                "crail-%s-%s-%08x",
                                StateDirectory.userName(), state.getFileName(), place.getValue())));
    }
}
