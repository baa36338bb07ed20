// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.Arrays;

/**
 * The extents of a node as five longs each, in one array: a file of 1 GiB has a thousand of them,
 * and as many objects would triple their memory. Not thread-safe.
 */
public final class ExtentList {
    private static final int WORDS = 5;
    private static final int OFFSET = 0;
    private static final int SERVER_SEGMENT = 1;
    private static final int GENERATION = 2;
    private static final int RECORD_BLOCK = 3;
    private static final int LENGTH_CRC = 4;

    private long[] words = new long[WORDS];

    /** Extents removed from the start that still take room in {@link #words}. */
    private int removed;

    private int count;
    private long allocated;

    public int count() {
        return count;
    }

    /** Where the last extent ends, 0 without extents. */
    public long length() {
        return count == 0 ? 0 : offset(count - 1) + length(count - 1);
    }

    public long offset(int index) {
        return words[(removed + index) * WORDS + OFFSET];
    }

    public int server(int index) {
        return (int) (words[(removed + index) * WORDS + SERVER_SEGMENT] >>> 32);
    }

    public int segment(int index) {
        return (int) words[(removed + index) * WORDS + SERVER_SEGMENT];
    }

    public long generation(int index) {
        return words[(removed + index) * WORDS + GENERATION];
    }

    public int record(int index) {
        return (int) (words[(removed + index) * WORDS + RECORD_BLOCK] >>> 32);
    }

    /** Size of the block that holds the extent. */
    public int blockLength(int index) {
        return (int) words[(removed + index) * WORDS + RECORD_BLOCK];
    }

    /** Bytes in use. */
    public int length(int index) {
        return (int) (words[(removed + index) * WORDS + LENGTH_CRC] >>> 32);
    }

    public int tailCrc(int index) {
        return (int) words[(removed + index) * WORDS + LENGTH_CRC];
    }

    /** Whether the last extent lies in this block under this generation. */
    public boolean endsWith(BlockId id, long generation) {
        int last = count - 1;
        return last >= 0
                && server(last) == id.server()
                && segment(last) == id.segment()
                && record(last) == id.record()
                && generation(last) == generation;
    }

    /** Appends an extent behind the last one. */
    public void append(
            int server,
            int segment,
            int record,
            int blockLength,
            long generation,
            int length,
            int tailCrc) {
        append(length(), server, segment, record, blockLength, generation, length, tailCrc);
    }

    /** Appends an extent that begins at {@code offset}, at or behind the last one's end. */
    void append(
            long offset,
            int server,
            int segment,
            int record,
            int blockLength,
            long generation,
            int length,
            int tailCrc) {
        assert offset >= length();
        makeRoom();
        int at = (removed + count) * WORDS;
        words[at + OFFSET] = offset;
        words[at + SERVER_SEGMENT] = pack(server, segment);
        words[at + GENERATION] = generation;
        words[at + RECORD_BLOCK] = pack(record, blockLength);
        words[at + LENGTH_CRC] = pack(length, tailCrc);
        count++;
        allocated += blockLength;
    }

    /** Puts the bytes of an extent into another block. */
    void replace(int index, BlockId id, int blockLength, long generation) {
        assert index < count && blockLength >= length(index);
        int at = (removed + index) * WORDS;
        allocated += blockLength - blockLength(index);
        words[at + SERVER_SEGMENT] = pack(id.server(), id.segment());
        words[at + GENERATION] = generation;
        words[at + RECORD_BLOCK] = pack(id.record(), blockLength);
    }

    private void makeRoom() {
        int needed = (removed + count + 1) * WORDS;
        if (needed <= words.length) {
            return;
        }
        if (removed > count) {
            System.arraycopy(words, removed * WORDS, words, 0, count * WORDS);
            removed = 0;
        } else {
            int larger = words.length + words.length / 2 / WORDS * WORDS + WORDS;
            words = Arrays.copyOf(words, Math.max(2 * WORDS, larger));
        }
    }

    /** Removes the first extents. */
    void removeFirst(int extents) {
        assert extents <= count;
        for (int i = 0; i < extents; i++) {
            allocated -= blockLength(i);
        }
        removed += extents;
        count -= extents;
    }

    /** States a new length of the last extent. */
    public void growLast(int length, int tailCrc) {
        assert count > 0 && length >= length(count - 1) && length <= blockLength(count - 1);
        words[(removed + count - 1) * WORDS + LENGTH_CRC] = pack(length, tailCrc);
    }

    /** Index of the extent that holds {@code offset}; {@link #count} if it lies behind the end. */
    public int find(long offset) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (offset < offset(middle)) {
                high = middle - 1;
            } else if (offset >= offset(middle) + length(middle)) {
                low = middle + 1;
            } else {
                return middle;
            }
        }
        return count;
    }

    /** Sum of the sizes of the blocks. */
    public long allocated() {
        return allocated;
    }

    /** For log and snapshot. */
    public void encode(WireWriter writer) {
        encode(writer, 0, count);
    }

    /** Some extents, for a list that begins with the first of them. */
    public void encode(WireWriter writer, int first, int extents) {
        writer.i32(extents);
        for (int i = first; i < first + extents; i++) {
            writer.i32(server(i)).i32(segment(i)).i32(record(i)).i32(blockLength(i));
            writer.i64(generation(i)).i32(length(i)).i32(tailCrc(i));
        }
    }

    public static ExtentList decode(WireReader reader) throws ProtocolException {
        ExtentList list = new ExtentList();
        int count = reader.length32();
        if ((long) count * 32 > reader.remaining()) {
            throw new ProtocolException("extent list of " + count + " exceeds its record");
        }
        list.words = new long[Math.max(1, count) * WORDS];
        for (int i = 0; i < count; i++) {
            int server = reader.i32();
            int segment = reader.i32();
            int record = reader.i32();
            int block = reader.i32();
            long generation = reader.i64();
            list.append(server, segment, record, block, generation, reader.i32(), reader.i32());
        }
        return list;
    }

    private static long pack(int high, int low) {
        return ((long) high << 32) | (low & 0xFFFF_FFFFL);
    }
}
