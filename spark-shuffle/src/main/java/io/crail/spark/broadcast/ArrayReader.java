// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.spark.basic.PrimitiveArrays;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of a value that are stored apart, in the order in which the stream of objects asks for
 * them. Belongs to one thread.
 *
 * <p>An array of several chunks is filled by all helpers at a time, as far as there is memory for a
 * chunk of each, and each takes the next chunk that nobody has; the thread itself is one of them.
 * Arrays of one chunk are loaded ahead, and where they are arrays of bytes, what was loaded is the
 * array.
 */
final class ArrayReader {
    private final ChunkReader reader;
    private final List<Chunk> chunks;
    private final ReadAhead single;
    private int next;

    ArrayReader(ChunkReader reader, List<Chunk> chunks) {
        this.reader = reader;
        this.chunks = chunks;
        this.single = new ReadAhead(reader, singles(chunks));
    }

    /** Those that are an array alone. */
    private static List<Chunk> singles(List<Chunk> chunks) {
        List<Chunk> singles = new ArrayList<>();
        boolean begins = true;
        for (Chunk each : chunks) {
            boolean ends = each.is(Chunk.ENDS_ARRAY);
            if (begins && ends) {
                singles.add(each);
            }
            begins = ends;
        }
        return singles;
    }

    /** The next array. */
    Object read(DetachedArray array) throws IOException {
        if (next == chunks.size()) {
            throw new InvalidObjectException("there are fewer arrays than the value has");
        }
        int first = next;
        while (next < chunks.size() && !chunks.get(next).is(Chunk.ENDS_ARRAY)) {
            next++;
        }
        next++;
        if (next - first == 1) {
            return readSingle(array);
        }
        Object result = array.allocate();
        check(result, chunks.subList(first, next));
        fill(result, chunks.subList(first, next));
        return result;
    }

    private static void check(Object array, List<Chunk> parts) throws InvalidObjectException {
        long bytes = 0;
        for (Chunk each : parts) {
            bytes += each.plainLength();
        }
        if (bytes != PrimitiveArrays.size(array)) {
            throw new InvalidObjectException(
                    "an array of "
                            + PrimitiveArrays.size(array)
                            + " bytes is stored with "
                            + bytes);
        }
    }

    private Object readSingle(DetachedArray array) throws IOException {
        Chunk chunk = chunks.get(next - 1);
        byte @Nullable [] bytes = single.next();
        if (bytes != null
                && array.type().equals(byte[].class.getName())
                && bytes.length == array.length()) {
            return bytes;
        }
        Object result = array.allocate();
        check(result, List.of(chunk));
        if (bytes != null) {
            PrimitiveArrays.set(result, 0, array.length(), bytes);
        }
        return result;
    }

    private void fill(Object array, List<Chunk> parts) throws IOException {
        AtomicInteger taken = new AtomicInteger();
        ChunkThreads threads = reader.threads();
        List<Future<?>> helpers = new ArrayList<>();
        while (threads != null
                && helpers.size() + 1 < Math.min(threads.count(), parts.size())
                && reader.memory().tryTake()) {
            helpers.add(
                    threads.submit(
                            () -> {
                                fill(array, parts, taken);
                                return true;
                            }));
        }
        fill(array, parts, taken);
        for (Future<?> each : helpers) {
            ChunkThreads.await(each);
        }
        reader.memory().giveBack(helpers.size());
    }

    private void fill(Object array, List<Chunk> parts, AtomicInteger taken) throws IOException {
        int step = Chunk.SIZE / PrimitiveArrays.width(array);
        byte[] scratch = array instanceof byte[] ? new byte[0] : new byte[Chunk.SIZE];
        for (int part = taken.getAndIncrement();
                part < parts.size();
                part = taken.getAndIncrement()) {
            Chunk chunk = parts.get(part);
            if (array instanceof byte[] bytes) {
                reader.load(chunk, bytes, part * step);
            } else {
                reader.load(chunk, scratch, 0);
                PrimitiveArrays.set(
                        array,
                        part * step,
                        chunk.plainLength() / PrimitiveArrays.width(array),
                        scratch);
            }
        }
    }
}
