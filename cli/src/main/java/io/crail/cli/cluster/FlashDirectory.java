// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.client.local.LocalFlash;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a local cluster has its flash tier: on disk, in a directory that it makes and removes.
 *
 * @param path the directory; need not exist
 * @param usable bytes that its file system has left
 */
public record FlashDirectory(Path path, long usable) {
    /** Is kept when the machine starts anew, so it is on disk; /tmp may be in memory. */
    private static final Path DISK = Path.of("/var/tmp");

    /** What the file system keeps for itself and for others. */
    private static final long RESERVE = 64L << 20;

    /**
     * The place for a cluster whose state is in {@code state}.
     *
     * @param parent an existing directory in which it shall be; null chooses one on disk
     */
    public static FlashDirectory choose(Path state, @Nullable Path parent) throws IOException {
        Path in = parent == null ? usual(state) : parent.toAbsolutePath();
        if (!Files.isDirectory(in)) {
            throw new NotDirectoryException(in.toString());
        }
        return new FlashDirectory(
                in.resolve(DataDirectory.uniqueName(state)), in.toFile().getUsableSpace());
    }

    private static Path usual(Path state) {
        return Files.isDirectory(DISK) && Files.isWritable(DISK)
                ? DISK
                : state.toAbsolutePath().resolve("..").normalize();
    }

    /** A flash tier of some bytes there, or of as many as there is room for; empty if too few. */
    public Optional<LocalFlash> upTo(ByteSize wanted, long least) {
        long bytes = Math.min(wanted.bytes(), usable - RESERVE);
        return bytes < least
                ? Optional.empty()
                : Optional.of(new LocalFlash(path, new ByteSize(bytes)));
    }

    /**
     * A flash tier of some bytes there.
     *
     * @throws OutOfSpaceException if there is no room for it
     */
    public LocalFlash of(ByteSize bytes) throws OutOfSpaceException {
        return upTo(bytes, bytes.bytes())
                .orElseThrow(
                        () ->
                                new OutOfSpaceException(
                                        "a flash tier of "
                                                + bytes.rounded()
                                                + " does not fit into "
                                                + path.getParent()
                                                + ", which has "
                                                + new ByteSize(usable).rounded()
                                                + " left; choose a smaller one, or another"
                                                + " directory on disk"));
    }
}
