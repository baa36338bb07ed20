// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file {@code epoch}: the highest epoch that a namenode of this directory may have announced,
 * as decimal text. The log holds the epoch, too, but a host crash or an accepted cut may take the
 * log's end away, and an epoch that went back would be refused by storage servers and clients for
 * good. So it is made durable here, at every durability level, before anybody is told.
 */
final class EpochFile {
    static final String FILE = "epoch";

    private EpochFile() {}

    /** Makes an epoch durable that is at least {@code atLeast} and above all before. */
    static long reserve(MetadataFiles files, Path directory, long atLeast) throws IOException {
        Path path = directory.resolve(FILE);
        long last = files.exists(path) ? read(path) : 0;
        long epoch = Math.max(atLeast, last + 1);
        Path unfinished = directory.resolve(FILE + FileName.UNFINISHED);
        files.delete(unfinished);
        try (MetadataFile file = files.create(unfinished)) {
            byte[] bytes = (epoch + "\n").getBytes(StandardCharsets.ISO_8859_1);
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            WholeWrites.write(file, buffer, 0);
            file.sync();
        }
        files.rename(unfinished, path);
        files.syncDirectory(directory);
        return epoch;
    }

    private static long read(Path path) throws IOException {
        String text = Files.readString(path, StandardCharsets.ISO_8859_1).trim();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new CorruptDataException(
                    path
                            + " holds '"
                            + text
                            + "' instead of an epoch; write a number into it that is above every"
                            + " epoch in the logs of the storage servers",
                    e);
        }
    }
}
