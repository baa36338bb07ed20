// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.local;

import io.crail.protocol.config.ByteSize;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The flash tier of a local cluster: one server over a plain file.
 *
 * @param directory on disk; holds the file, and the identity of the server
 * @param size bytes of the file: whole units of 4 KiB, so what is more does not count
 */
public record LocalFlash(Path directory, ByteSize size) {
    private static final String KEY = "flash";
    private static final long UNIT = 4096;

    public LocalFlash {
        size = new ByteSize(size.bytes() & -UNIT);
    }

    /** What the server serves. */
    public Path file() {
        return directory.resolve("flash.img");
    }

    /** Where the server has its identity. */
    public Path serverDirectory() {
        return directory.resolve("server");
    }

    /** What {@link #parse} reads. */
    String line() {
        return KEY + " " + size + " " + directory;
    }

    /**
     * Reads it; empty if the line is about something else, as options are, which begin with a
     * hyphen.
     *
     * @throws IllegalArgumentException if it is nonsense
     */
    static Optional<LocalFlash> parse(String line) {
        if (!line.startsWith(KEY + " ")) {
            return Optional.empty();
        }
        String text = line.substring(KEY.length() + 1);
        int end = text.indexOf(" /");
        if (end < 0) {
            throw new IllegalArgumentException("no directory in '" + line + "'");
        }
        return Optional.of(
                new LocalFlash(
                        Path.of(text.substring(end + 1)), ByteSize.parse(text.substring(0, end))));
    }
}
