// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import java.util.concurrent.ThreadLocalRandom;

/** Takes paths of crail apart and puts them together. The rules for names are the server's. */
final class CrailPath {
    private CrailPath() {}

    /** Without slashes at the end; the root stays. */
    static String trim(String path) {
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    static String join(String directory, String name) {
        return directory.endsWith("/") ? directory + name : directory + "/" + name;
    }

    /** The last name; empty for the root. */
    static String name(String path) {
        String trimmed = trim(path);
        return trimmed.substring(trimmed.lastIndexOf('/') + 1);
    }

    static String parent(String path) {
        String trimmed = trim(path);
        return trimmed.substring(0, Math.max(trimmed.lastIndexOf('/'), 1));
    }

    /** Whether {@code path} is {@code ancestor} or lies below it. */
    static boolean isWithin(String path, String ancestor) {
        String above = trim(ancestor);
        return trim(path).equals(above) || trim(path).startsWith(join(above, ""));
    }

    /** A name beside the target that nobody else uses. */
    static String temporary(String target) {
        return join(
                parent(target),
                String.format(".crail-%016x", ThreadLocalRandom.current().nextLong()));
    }
}
