// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.nio.file.Path;
import java.util.Locale;

/** A log or snapshot file and the sequence in its name. Ordered by sequence. */
public record FileName(Path path, long sequence) implements Comparable<FileName> {
    static final String LOG = "log-";
    static final String SNAPSHOT = "snapshot-";

    /** Ends the name of a file that is still being written, or was left over by a crash. */
    static final String UNFINISHED = ".tmp";

    /** Ends the name of a snapshot that was found damaged. */
    static final String DAMAGED = ".damaged";

    /** Ends the name of a part of the log that was cut off because of a corruption. */
    static final String CUT = ".cut";

    private static final int DIGITS = 20;

    static FileName of(Path directory, String prefix, long sequence) {
        return new FileName(
                directory.resolve(
                        String.format(Locale.ROOT, "%s%0" + DIGITS + "d", prefix, sequence)),
                sequence);
    }

    /** Whether {@code path} is named as {@link #of} names it. */
    static boolean matches(Path path, String prefix) {
        String name = nameOf(path);
        if (!name.startsWith(prefix) || name.length() != prefix.length() + DIGITS) {
            return false;
        }
        String digits = name.substring(prefix.length());
        return digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && digits.compareTo("09223372036854775807") <= 0;
    }

    /** The name of a path that {@link #matches}. */
    static FileName parse(Path path, String prefix) {
        return new FileName(path, Long.parseLong(nameOf(path).substring(prefix.length())));
    }

    static String nameOf(Path path) {
        return String.valueOf(path.getFileName());
    }

    Path directory() {
        Path parent = path.getParent();
        return parent == null ? Path.of(".") : parent;
    }

    /** The same file name with an ending. */
    Path with(String ending) {
        return path.resolveSibling(nameOf(path) + ending);
    }

    @Override
    public int compareTo(FileName other) {
        return Long.compare(sequence, other.sequence);
    }
}
