// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.client.CrailFile;
import io.crail.client.CrailFuture;
import io.crail.client.CrailView;
import io.crail.error.ClosedException;
import io.crail.error.CorruptDataException;
import io.crail.protocol.block.BlockGeometry;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A range of a map output that is used in one go: looked at in place, or copied into a buffer, or,
 * where it is read from flash of this host, lent by the flash as far as that has room. Guarded by
 * its fetcher; it is waited for, and its bytes looked at, without the lock.
 */
final class Fetch {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final OpenBlocks source;
    private final long offset;
    private int length;
    private @Nullable ByteBuffer buffer;
    private @Nullable Future<Integer> reading;
    private @Nullable CrailView view;

    /** Of a fetch that is read to be looked at: has the view, once it is done. */
    private @Nullable CrailFuture<CrailView> asked;

    /** Of a view, what comes behind the current part. */
    private final ArrayDeque<ByteBuffer> parts = new ArrayDeque<>();

    private ByteBuffer current = NOTHING;

    /** Where in the file the current part ends. */
    private long end;

    Fetch(OpenBlocks source, long offset, int length) {
        this.source = source;
        this.offset = offset;
        this.length = length;
        this.end = offset;
    }

    /** What is read. */
    OpenBlocks source() {
        return source;
    }

    private CrailFile file() {
        return source.opened().join().file();
    }

    int length() {
        return length;
    }

    /** Takes bytes along that follow, if they are of the same output and it has not begun. */
    boolean extend(OpenBlocks other, long position, int more, int limit) {
        if (other != source || hasBegun() || position != offset + length || length + more > limit) {
            return false;
        }
        length += more;
        return true;
    }

    /** How many of its bytes are memory of this host, as far as is known. */
    long bytesOnThisHost() {
        return isInPlace() ? length : file().bytesOnThisHost(offset, length);
    }

    /** Whether the next byte is memory of this host, as far as is known. */
    boolean isNextOnThisHost() {
        return isInPlace() || file().bytesOnThisHost(position(), 1) > 0;
    }

    /** How many of its bytes have to be read first, and may be looked at then, as far as known. */
    long bytesReadOnThisHost() {
        return file().bytesReadOnThisHost(offset, length);
    }

    /** Whether it is being copied, or looked at. */
    boolean hasBegun() {
        return reading != null || isInPlace();
    }

    boolean isInPlace() {
        return view != null;
    }

    /** Whether it was begun to be looked at where it is read to. */
    boolean isToBeLent() {
        return asked != null;
    }

    /** Looks at the bytes in place; false if that cannot be done at once. They are verified. */
    boolean look() {
        CrailView found = file().tryView(offset, length).orElse(null);
        if (found == null) {
            return false;
        }
        try {
            parts.addAll(found.buffers());
        } catch (ClosedException e) {
            // With its client, just now: a read says so.
            found.close();
            return false;
        }
        view = found;
        return true;
    }

    /**
     * Begins to copy. A chunk that is wanted in part is read as a whole, where the buffer has room:
     * whoever verifies it needs all of it, and would have to read it by itself.
     *
     * @param target a cleared buffer that is large enough
     */
    void begin(ByteBuffer target) {
        int rest = restOfChunk();
        target.limit(target.capacity() - length < rest ? length : length + rest);
        buffer = target;
        reading = file().readAsync(offset, target);
    }

    /** As {@link #begin}, and leaves the bytes where they are lent. */
    void beginToLook(ByteBuffer target) {
        int behind = (int) Math.min(CHUNK, file().length() - offset - length);
        int rest = Math.min(restOfChunk(), behind);
        if (rest < 0) {
            begin(target); // It says that the file ends before.
            return;
        }
        target.limit(target.capacity() - length < rest ? length : length + rest);
        buffer = target;
        CrailFuture<CrailView> seeing = file().viewAsync(offset, target);
        asked = seeing;
        reading = seeing.thenApply(found -> (int) found.length());
    }

    private int restOfChunk() {
        int inChunk = (int) (offset + length) & CHUNK - 1;
        return inChunk == 0 ? 0 : CHUNK - inChunk;
    }

    /** Begins anew, when the output was opened again: to copy. */
    void repeat() {
        asked = null;
        begin(Objects.requireNonNull(buffer).clear());
    }

    /** Done when it has been copied. */
    Future<Integer> reading() {
        return Objects.requireNonNull(reading);
    }

    /** Whether what was read is all of it. */
    void check(int read) throws ExecutionException {
        if (read < length) {
            throw new ExecutionException(
                    new CorruptDataException(
                            "the file ends "
                                    + (length - read)
                                    + " bytes before its index says so"));
        }
    }

    /** It is there. */
    void arrived() throws ClosedException {
        CrailFuture<CrailView> seen = asked;
        if (seen == null) {
            current = Objects.requireNonNull(buffer).limit(length).position(0);
            end = offset + length;
            return;
        }
        int left = length;
        for (ByteBuffer part : seen.join().buffers()) {
            parts.add(part.limit(Math.min(part.limit(), left)));
            left -= part.limit();
        }
    }

    /** The buffer, if what has arrived is looked at elsewhere; null if there is none. */
    @Nullable ByteBuffer takeUnused() {
        CrailFuture<CrailView> seen = asked;
        if (seen == null || !seen.join().isZeroCopy()) {
            return null;
        }
        ByteBuffer unused = buffer;
        buffer = null;
        return unused;
    }

    /** Where in the file the next byte is. */
    long position() {
        return end - current.remaining();
    }

    /** Next bytes, from the buffer's position on; none are left if that has no more. */
    ByteBuffer bytes() {
        while (!current.hasRemaining() && !parts.isEmpty()) {
            current = parts.remove();
            end += current.remaining();
        }
        return current;
    }

    /**
     * Nobody looks at its bytes any more.
     *
     * @return its buffer, of which nobody will touch a byte; null if there is none
     */
    @Nullable ByteBuffer release() {
        parts.clear();
        current = NOTHING;
        CrailView seen = view;
        if (seen != null) {
            seen.close();
        }
        ByteBuffer taken = buffer;
        CrailFuture<CrailView> seeing = asked;
        Future<Integer> begun = reading;
        if (seeing != null) {
            letGo(seeing);
        } else if (begun != null && !begun.isDone()) {
            begun.cancel(true);
        }
        buffer = null;
        return taken;
    }

    private static void letGo(CrailFuture<CrailView> seeing) {
        if (!seeing.cancel(true) && !seeing.isCompletedExceptionally()) {
            seeing.join().close();
        }
    }
}
