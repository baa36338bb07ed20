// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A range of a map output that is read in one go. Belongs to the thread of the task. */
final class Fetch {
    private final OpenBlocks source;
    private final long offset;
    private int length;
    private @Nullable ByteBuffer buffer;
    private @Nullable Future<Integer> reading;

    Fetch(OpenBlocks source, long offset, int length) {
        this.source = source;
        this.offset = offset;
        this.length = length;
    }

    /** What is read. */
    OpenBlocks source() {
        return source;
    }

    long offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** Takes bytes along that follow, if they are of the same output and it has not begun. */
    boolean extend(OpenBlocks other, long position, int more, int limit) {
        if (other != source
                || reading != null
                || position != offset + length
                || length + more > limit) {
            return false;
        }
        length += more;
        return true;
    }

    boolean hasBegun() {
        return reading != null;
    }

    /**
     * Begins to read.
     *
     * @param target a cleared buffer that is large enough
     */
    void begin(ByteBuffer target) {
        target.limit(length);
        buffer = target;
        reading = source.opened().join().file().readAsync(offset, target);
    }

    /** Begins anew, when the output was opened again. */
    void repeat() {
        begin(Objects.requireNonNull(buffer).clear());
    }

    /** Done when it has been read. */
    Future<Integer> reading() {
        return Objects.requireNonNull(reading);
    }

    /** The bytes, from position 0, when it has been read. */
    ByteBuffer bytes() {
        return Objects.requireNonNull(buffer);
    }

    /** The buffer, of which nobody will touch a byte any more; null if there is none. */
    @Nullable ByteBuffer takeBuffer() {
        ByteBuffer taken = buffer;
        Future<Integer> begun = reading;
        if (begun != null && !begun.isDone()) {
            begun.cancel(true);
        }
        buffer = null;
        return taken;
    }
}
