// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.protocol.segment.SegmentPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two directories of an embedded cluster.
 *
 * @param metadata of the namenode
 * @param data of the storage servers, in shared memory if there is any
 */
record TemporaryDirectories(Path metadata, Path data) {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryDirectories.class);
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    static TemporaryDirectories make() throws CrailException {
        try {
            Path metadata = Files.createTempDirectory("crail-embedded-");
            boolean shared = Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
            Path data =
                    shared
                            ? Files.createTempDirectory(SHARED_MEMORY, "crail-embedded-")
                            : Files.createDirectory(metadata.resolve("data"));
            return new TemporaryDirectories(metadata, data);
        } catch (IOException e) {
            throw new InternalException("no temporary directory to be had: " + e, e);
        }
    }

    void remove() {
        try {
            SegmentPlace.removeElsewhereOfAll(data);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("Segments of the embedded cluster stay in huge pages: {}", e.toString());
        }
        remove(data);
        remove(metadata);
    }

    private static void remove(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> below = Files.walk(root)) {
            List<Path> deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("Files of the embedded cluster stay in {}: {}", root, e.toString());
        }
    }
}
