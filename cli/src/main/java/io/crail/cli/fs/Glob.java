// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.error.InvalidArgumentException;
import java.util.ArrayList;
import java.util.List;

/**
 * A pattern for paths, as Hadoop's shell has them: {@code *} any characters, {@code ?} one, {@code
 * [a-z]} one of these, {@code [^a-z]} none of these, {@code {a,b}} one or the other, {@code \}
 * takes the next character as it is. Only the braces reach over a slash.
 *
 * @param ways the paths that it means, name by name; more than one if braces reach over a slash
 */
record Glob(List<List<GlobName>> ways) {
    /** Each pair of braces multiplies the ways. */
    private static final int MAX_WAYS = 1024;

    private static final String SPECIAL = "*?[{\\";

    Glob {
        ways = List.copyOf(ways);
    }

    /** Whether a text could mean anything but itself. */
    static boolean isPattern(String text) {
        return text.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
    }

    static Glob parse(String text) throws InvalidArgumentException {
        if (!text.startsWith("/")) {
            throw new InvalidArgumentException("path must start with '/': '" + text + "'");
        }
        List<String> expanded = new ArrayList<>();
        expand(text, text, expanded);
        List<List<GlobName>> ways = new ArrayList<>();
        for (String way : expanded) {
            List<GlobName> names = new ArrayList<>();
            for (String name : split(way, '/')) {
                if (!name.isEmpty()) {
                    names.add(GlobName.parse(name, text));
                }
            }
            ways.add(names);
        }
        return new Glob(ways);
    }

    /** Resolves braces that reach over a slash; those within a name are left to the name. */
    private static void expand(String way, String whole, List<String> expanded)
            throws InvalidArgumentException {
        for (int at = next(way, 0, '{'); at < way.length(); at = next(way, at + 1, '{')) {
            int end = closing(way, at, whole);
            String inner = way.substring(at + 1, end);
            if (inner.indexOf('/') >= 0) {
                for (String choice : split(inner, ',')) {
                    expand(way.substring(0, at) + choice + way.substring(end + 1), whole, expanded);
                }
                return;
            }
            at = end;
        }
        if (expanded.size() == MAX_WAYS) {
            throw new InvalidArgumentException(
                    "pattern '" + whole + "' means more than " + MAX_WAYS + " paths");
        }
        expanded.add(way);
    }

    /** Where a character comes next that is not escaped; the length if nowhere. */
    private static int next(String text, int from, char wanted) {
        int at = from;
        while (at < text.length() && text.charAt(at) != wanted) {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at, text.length());
    }

    private static int closing(String text, int open, String whole)
            throws InvalidArgumentException {
        int depth = 0;
        for (int at = open; at < text.length(); at++) {
            switch (text.charAt(at)) {
                case '\\' -> at++;
                case '{' -> depth++;
                case '}' -> depth--;
                default -> {}
            }
            if (depth == 0) {
                return at;
            }
        }
        throw new InvalidArgumentException("pattern '" + whole + "': '{' without '}'");
    }

    /** Cuts at a separator that is neither escaped nor within braces. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        int depth = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '{') {
                depth++;
            } else if (c == '}') {
                depth--;
            } else if (c == separator && depth == 0) {
                parts.add(text.substring(start, at));
                start = at + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
