// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.client.local.LocalCluster;
import io.crail.client.local.StateDirectory;
import io.crail.error.CrailException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.StorageKeys;
import io.crail.protocol.hugepages.HugePageMount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Where a local cluster has its segments: in shared memory, or beside its state where shared memory
 * is too small, as containers often have it. With huge pages, which are elsewhere, what is left for
 * this directory is small.
 *
 * @param path the directory; need not exist
 * @param shared whether it is in shared memory
 * @param huge whether the segments are in huge pages
 * @param usable bytes that the file system, or the pool of huge pages, has left for segments
 */
public record DataDirectory(Path path, boolean shared, boolean huge, long usable) {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /**
     * Chooses the place for a cluster whose state is in {@code state}, a directory whose parent
     * exists. A cluster that was there before keeps its place.
     *
     * @param values tells whether the segments shall be in huge pages
     * @param bytes what shall fit
     * @throws CrailException if huge pages are wanted where there are none
     */
    public static DataDirectory choose(Path state, Configuration values, long bytes)
            throws IOException {
        Path hugePages = values.get(StorageKeys.HUGE_PAGES);
        if (hugePages.toString().isEmpty()) {
            return choose(state, bytes);
        }
        HugePageMount mount = HugePageMount.of(hugePages);
        DataDirectory others = choose(state, 0);
        return new DataDirectory(
                others.path, others.shared, true, mount.room().available() * mount.pageSize());
    }

    static DataDirectory choose(Path state, long bytes) {
        DataDirectory beside =
                of(state.resolve("data"), state.toAbsolutePath().resolve("..").normalize(), false);
        if (!Files.isDirectory(SHARED_MEMORY) || !Files.isWritable(SHARED_MEMORY)) {
            return beside;
        }
        DataDirectory shared = of(SHARED_MEMORY.resolve(uniqueName(state)), SHARED_MEMORY, true);
        LocalCluster earlier = LocalCluster.read(state);
        if (earlier != null) {
            return earlier.data().equals(beside.path) ? beside : shared;
        }
        return shared.usable >= bytes || shared.usable >= beside.usable ? shared : beside;
    }

    /** Not through {@code FileStore}, which fails where the mount table does not show the root. */
    private static DataDirectory of(Path path, Path existing, boolean shared) {
        return new DataDirectory(path, shared, false, existing.toFile().getUsableSpace());
    }

    /**
     * Tells user and cluster, and the place of the state apart: clusters of one name below two
     * state directories must not meet in memory, nor in a directory for all.
     */
    static String uniqueName(Path state) {
        CRC32C place = new CRC32C();
        place.update(state.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8));
        return String.format(
                "crail-%s-%s-%08x",
                StateDirectory.userName(), state.getFileName(), place.getValue());
    }
}
