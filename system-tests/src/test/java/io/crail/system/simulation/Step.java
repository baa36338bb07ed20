// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.util.List;
import java.util.stream.Stream;

/**
 * Something that a client does.
 *
 * @param at nanoseconds after the beginning
 * @param target which key or path, of a few
 * @param size bytes of the value, or of each piece
 * @param pieces how often a stream is written to
 * @param pauseNanos between pieces
 */
record Step(long at, int client, Kind kind, int target, int size, int pieces, long pauseNanos) {
    enum Kind {
        PUT,
        GET,
        REMOVE,
        MULTI_PUT,
        MULTI_GET,
        /** Creates a file in the place of what is there. */
        REPLACE,
        READ_REPLACED,
        DELETE,
        APPEND,
        READ_APPENDED,
        /** Makes, renames and deletes a directory of its own. */
        ONCE,
        /** Joins and cuts files of its own, and joins them to one that all share. */
        SPLICE,
        READ_JOINED;

        /** The kinds of joining and cutting, which come on top of all others. */
        static final List<Kind> SPLICES = List.of(SPLICE, READ_JOINED);

        static final List<Kind> COMMON =
                Stream.of(values()).filter(kind -> !SPLICES.contains(kind)).toList();
    }
}
