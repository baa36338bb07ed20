// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a file that is only appended to may hold: each writer's bytes from where it began to where
 * the next one did. A writer that was replaced and still got a byte in would show behind that.
 */
final class AppendedFile {
    private record Writer(long id, long from) {}

    private final List<Writer> writers = new ArrayList<>();
    private long acknowledged;

    void opened(long writer, long from) {
        writers.add(new Writer(writer, from));
    }

    void acknowledged(long length) {
        acknowledged = Math.max(acknowledged, length);
    }

    long acknowledged() {
        return acknowledged;
    }

    /** What is wrong with these bytes, if anything. */
    Optional<String> check(ByteBuffer bytes) {
        int end = bytes.remaining();
        int at = 0;
        while (at < end) {
            long from = lastStart(at);
            int next = (int) Math.min(end, nextStart(at));
            int begin = at;
            if (writers.stream()
                    .filter(writer -> writer.from == from)
                    .noneMatch(writer -> matches(bytes, writer, begin, next))) {
                return Optional.of(
                        "bytes " + at + ".." + next + " belong to no writer that began at " + from);
            }
            at = next;
        }
        return Optional.empty();
    }

    private static boolean matches(ByteBuffer bytes, Writer writer, int from, int to) {
        return bytes.slice(from, to - from).equals(Content.of(writer.id, from, to - from));
    }

    private long lastStart(long offset) {
        return writers.stream()
                .mapToLong(Writer::from)
                .filter(from -> from <= offset)
                .max()
                .orElse(-1);
    }

    private long nextStart(long offset) {
        return writers.stream()
                .mapToLong(Writer::from)
                .filter(from -> from > offset)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
