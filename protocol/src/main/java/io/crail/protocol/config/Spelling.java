// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.util.Collection;
import java.util.Optional;

/** Finds what somebody who mistyped a word may have meant. */
public final class Spelling {
    private static final int MAX_LENGTH = 64;

    private Spelling() {}

    /**
     * The candidate nearest to a word by edit distance; empty if none is nearer than about half of
     * the word's length.
     */
    public static Optional<String> nearest(String word, Collection<String> candidates) {
        String best = null;
        // Long words are compared to their first characters only: that bounds the cost.
        String compared = word.substring(0, Math.min(word.length(), MAX_LENGTH));
        int bestDistance = Math.max(1, compared.length() / 2) + 1;
        for (String candidate : candidates) {
            int distance = distance(compared, candidate);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * Insertions, deletions, replacements of one character and swaps of two neighbours that lead
     * from one word to the other (optimal string alignment).
     */
    static int distance(String a, String b) {
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            rows[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            rows[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int replaced = rows[i - 1][j - 1] + (same ? 0 : 1);
                int distance = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
                if (isSwap(a, i, b, j)) {
                    distance = Math.min(distance, rows[i - 2][j - 2] + 1);
                }
                rows[i][j] = distance;
            }
        }
        return rows[a.length()][b.length()];
    }

    private static boolean isSwap(String a, int i, String b, int j) {
        return i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
    }
}
