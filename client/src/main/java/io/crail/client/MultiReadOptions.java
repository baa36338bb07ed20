// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

/**
 * How a MULTIFILE is read. Immutable.
 *
 * @param window pieces of up to 1 MiB under way at a time, 1..1,024
 * @param closedOnly whether to leave out members that somebody is writing; else they are read up to
 *     the length that was committed when the multifile was opened
 */
public record MultiReadOptions(int window, boolean closedOnly) {
    private static final int MAX_WINDOW = 1024;

    public static final MultiReadOptions DEFAULT = new MultiReadOptions(32, false);

    /**
     * @throws IllegalArgumentException if the window is out of range
     */
    public MultiReadOptions {
        if (window < 1 || window > MAX_WINDOW) {
            throw new IllegalArgumentException(
                    "window of " + window + " pieces, must be 1.." + MAX_WINDOW);
        }
    }

    public MultiReadOptions withWindow(int pieces) {
        return new MultiReadOptions(pieces, closedOnly);
    }

    public MultiReadOptions withClosedOnly(boolean only) {
        return new MultiReadOptions(window, only);
    }
}
