// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.CorruptDataException;
import io.crail.error.VersionMismatchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code identity}: three lines of text, so that a person can read which cluster a
 * directory belongs to.
 *
 * @param format version of the directory's format as a whole
 * @param cluster the cluster's id
 */
record Identity(int format, UUID cluster) {
    static final int FORMAT = 1;
    static final String FILE = "identity";

    private static final String TITLE = "crail namenode metadata";
    private static final String FORMAT_KEY = "format=";
    private static final String CLUSTER_KEY = "cluster=";

    /** Reads the file, refusing what this version cannot work with. */
    static Identity read(Path path) throws IOException {
        List<String> lines = Files.readString(path, StandardCharsets.ISO_8859_1).lines().toList();
        if (lines.size() < 3
                || !lines.get(0).equals(TITLE)
                || !lines.get(1).startsWith(FORMAT_KEY)
                || !lines.get(2).startsWith(CLUSTER_KEY)) {
            throw broken(path, null);
        }
        try {
            int format = Integer.parseInt(lines.get(1).substring(FORMAT_KEY.length()));
            if (format > FORMAT) {
                throw new VersionMismatchException(
                        path
                                + ": the directory has format "
                                + format
                                + ", this version of crail knows up to "
                                + FORMAT
                                + "; start the newer version that wrote it");
            }
            UUID cluster = UUID.fromString(lines.get(2).substring(CLUSTER_KEY.length()));
            return new Identity(format, cluster);
        } catch (IllegalArgumentException e) {
            throw broken(path, e);
        }
    }

    /** Writes the file so that it is there whole or not at all. */
    void write(MetadataFiles files, Path directory) throws IOException {
        String text = TITLE + "\n" + FORMAT_KEY + format + "\n" + CLUSTER_KEY + cluster + "\n";
        Path path = directory.resolve(FILE);
        Path unfinished = directory.resolve(FILE + FileName.UNFINISHED);
        files.delete(unfinished);
        try (MetadataFile file = files.create(unfinished)) {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            WholeWrites.write(file, buffer, 0);
            file.sync();
        }
        files.rename(unfinished, path);
        files.syncDirectory(directory);
    }

    private static CorruptDataException broken(
            Path path, @Nullable IllegalArgumentException cause) {
        return new CorruptDataException(
                path
                        + " is not the identity of a crail metadata directory; restore it, or name"
                        + " another directory",
                cause);
    }
}
