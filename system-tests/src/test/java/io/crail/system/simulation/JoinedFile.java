// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a file that others are joined to may hold: whole pieces one behind the other, each once, all
 * that were acknowledged among them. A piece begins with its number.
 */
final class JoinedFile {
    private final Map<Long, ByteBuffer> begun = new HashMap<>();
    private final List<Long> acknowledged = new ArrayList<>();

    /** A piece may be there from now on; returns its number. */
    long begin(ByteBuffer bytes) {
        long number = number(bytes, 0);
        begun.put(number, bytes);
        return number;
    }

    void acknowledge(long piece) {
        acknowledged.add(piece);
    }

    List<Long> acknowledged() {
        return List.copyOf(acknowledged);
    }

    private static long number(ByteBuffer bytes, int at) {
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(bytes.position() + at);
    }

    /**
     * What is wrong with these bytes, if anything.
     *
     * @param expected pieces that must be there
     */
    Optional<String> check(ByteBuffer bytes, List<Long> expected) {
        Set<Long> seen = new HashSet<>();
        for (int at = 0; at < bytes.remaining(); ) {
            ByteBuffer piece =
                    bytes.remaining() - at < Long.BYTES ? null : begun.get(number(bytes, at));
            if (piece == null
                    || piece.remaining() > bytes.remaining() - at
                    || !bytes.slice(bytes.position() + at, piece.remaining()).equals(piece)) {
                return Optional.of("no whole piece begins at " + at + " of " + bytes.remaining());
            }
            if (!seen.add(number(bytes, at))) {
                return Optional.of("the piece at " + at + " is there for the second time");
            }
            at += piece.remaining();
        }
        return seen.containsAll(expected)
                ? Optional.empty()
                : Optional.of("has " + seen + ", but " + expected + " were acknowledged");
    }
}
