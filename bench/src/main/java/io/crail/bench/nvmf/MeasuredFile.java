// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The file or block device that is measured.
 *
 * @param path where it is
 * @param bytes of it that are used
 * @param made whether it was made for this, so that it may be written and goes afterwards
 */
public record MeasuredFile(Path path, long bytes, boolean made) {
    private static final int PIECE = 1 << 20;
    private static final int LEAST = 16 << 20;

    /** What is left free, so that others can go on. */
    private static final long RESERVE = 256L << 20;

    /**
     * Makes a file of bytes that no device can leave out or shorten, each of them written.
     *
     * @param bytes at least 16 MiB; what is no whole MiB is left out
     */
    public static MeasuredFile make(Path path, long bytes) throws IOException {
        long whole = bytes & -PIECE;
        checkSize(whole);
        Path parent = path.toAbsolutePath().getParent();
        // Not by its FileStore, which has to be in the mount table: it is not in a chroot.
        long free = parent == null ? 0 : parent.toFile().getUsableSpace();
        if (free < whole + RESERVE) {
            throw new OutOfSpaceException(
                    "the benchmark makes a file of "
                            + new ByteSize(whole).rounded()
                            + " in "
                            + parent
                            + ", where "
                            + new ByteSize(Math.max(0, free)).rounded()
                            + " are free: name another place by --file, or less by --size");
        }
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long at = 0; at < whole; at += PIECE) {
                for (int i = 0; i < PIECE; i += Long.BYTES) {
                    piece.putLong(i, ThreadLocalRandom.current().nextLong());
                }
                piece.clear();
                while (piece.hasRemaining()) {
                    channel.write(piece);
                }
            }
            channel.force(true);
        }
        return new MeasuredFile(path, whole, true);
    }

    /**
     * A file or block device that is there.
     *
     * @param most bytes of it that are used
     */
    public static MeasuredFile existing(Path path, long most) throws IOException {
        if (Files.isDirectory(path)) {
            throw new InvalidArgumentException(
                    path + " is a directory: name a file, which need not exist, or a block device");
        }
        try (FileChannel channel = FileChannel.open(path)) {
            long bytes = Math.min(most, channel.size()) & -PIECE;
            checkSize(bytes);
            return new MeasuredFile(path, bytes, false);
        }
    }

    private static void checkSize(long bytes) throws InvalidArgumentException {
        if (bytes < LEAST) {
            throw new InvalidArgumentException(
                    "a file of "
                            + new ByteSize(Math.max(0, bytes)).rounded()
                            + " is too small to be measured: it takes "
                            + new ByteSize(LEAST).rounded());
        }
    }
}
