// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.Arrays;

/**
 * The extents of a node as five longs each: a file of 1 TiB has a million of them, and as many
 * objects would triple their memory. They lie in pieces of {@value #PART}, because growing one
 * array would copy 40 MiB between two requests. Not thread-safe.
 *
 * <p>All but the last piece never change in place: what changes an extent in them copies the piece.
 * So a snapshot may write them later than the node they belong to, from a list that shares them
 * ({@link #frozen}).
 */
public final class ExtentList {
    /** Extents in one piece, and at most in one record of a snapshot. */
    public static final int PART = 1024;

    private static final int WORDS = 5;
    private static final int OFFSET = 0;
    private static final int SERVER_SEGMENT = 1;
    private static final int GENERATION = 2;
    private static final int RECORD_BLOCK = 3;
    private static final int LENGTH_CRC = 4;
    private static final long[] NONE = {};

    private long[][] parts;

    /** Extents removed from the start of the first piece, less than it holds. */
    private int removed;

    private int count;
    private long allocated;
    private boolean closed;

    /** Last use and number of reads, by the {@link UseClock}. */
    int use;

    /** A list that grows from nothing. */
    public ExtentList() {
        this.parts = new long[][] {NONE};
    }

    /** A list with room for so many extents, of a value that gets all of them now. */
    public ExtentList(int expected) {
        this.parts = new long[][] {new long[Math.min(PART, expected) * WORDS]};
    }

    public int count() {
        return count;
    }

    /** Where the last extent ends; 0 without extents. */
    public long length() {
        return count == 0 ? 0 : offset(count - 1) + length(count - 1);
    }

    public long offset(int index) {
        return word(index, OFFSET);
    }

    public int server(int index) {
        return (int) (word(index, SERVER_SEGMENT) >>> 32);
    }

    public int segment(int index) {
        return (int) word(index, SERVER_SEGMENT);
    }

    public long generation(int index) {
        return word(index, GENERATION);
    }

    public int record(int index) {
        return (int) (word(index, RECORD_BLOCK) >>> 32);
    }

    /** Size of the block that holds the extent. */
    public int blockLength(int index) {
        return (int) word(index, RECORD_BLOCK);
    }

    /** Bytes in use. */
    public int length(int index) {
        return (int) (word(index, LENGTH_CRC) >>> 32);
    }

    public int tailCrc(int index) {
        return (int) word(index, LENGTH_CRC);
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
        if (closed) {
            throw new IllegalStateException("nothing may be appended to this list any more");
        }
        long[] words = roomForOne();
        int at = (removed + count) % PART * WORDS;
        words[at + OFFSET] = offset;
        words[at + SERVER_SEGMENT] = pack(server, segment);
        words[at + GENERATION] = generation;
        words[at + RECORD_BLOCK] = pack(record, blockLength);
        words[at + LENGTH_CRC] = pack(length, tailCrc);
        count++;
        allocated += blockLength;
    }

    /** Appends copies of another list's extents. */
    public void appendAll(ExtentList other) {
        append(other, 0, other.count);
    }

    /** Appends copies of another list's extents of index {@code first} up to {@code end}. */
    void append(ExtentList other, int first, int end) {
        for (int i = first; i < end; i++) {
            append(
                    other.server(i),
                    other.segment(i),
                    other.record(i),
                    other.blockLength(i),
                    other.generation(i),
                    other.length(i),
                    other.tailCrc(i));
        }
    }

    /** The piece that the next extent goes to. The first one starts small: most lists are short. */
    private long[] roomForOne() {
        int part = (removed + count) / PART;
        if (part == parts.length) {
            parts = Arrays.copyOf(parts, part + part / 2 + 1);
        }
        long[] words = parts[part];
        int needed = ((removed + count) % PART + 1) * WORDS;
        if (words == null) {
            words = new long[PART * WORDS];
        } else if (needed > words.length) {
            int larger = needed <= 2 * WORDS ? needed : needed + needed / 2 / WORDS * WORDS;
            words = Arrays.copyOf(words, Math.min(PART * WORDS, larger));
        }
        parts[part] = words;
        return words;
    }

    /**
     * A list that shares this one's pieces: whatever becomes of this one, all pieces but the last
     * stay as they are now. Nothing can be appended to it.
     */
    public ExtentList frozen() {
        ExtentList copy = new ExtentList();
        copy.parts = parts.clone();
        copy.removed = removed;
        copy.count = count;
        copy.allocated = allocated;
        copy.closed = true;
        return copy;
    }

    /** Takes the first extents away. */
    void removeFirst(int extents) {
        assert extents <= count;
        for (int i = 0; i < extents; i++) {
            allocated -= blockLength(i);
        }
        removed += extents;
        count -= extents;
        int pieces = Math.min(removed / PART, parts.length - 1);
        if (pieces > 0) {
            parts = Arrays.copyOfRange(parts, pieces, parts.length);
            removed -= pieces * PART;
        } else if (count == 0) {
            parts = new long[][] {NONE};
            removed = 0;
        }
    }

    /** Takes the last extent away; nothing can be appended any more. */
    public void removeLast() {
        allocated -= blockLength(count - 1);
        count--;
        closed = true;
    }

    /**
     * Takes all extents from index {@code newCount} on away. What is the last piece from then on is
     * copied: it changes in place, and was one that does not, which a {@linkplain #frozen frozen}
     * list may share.
     */
    void truncate(int newCount) {
        for (int i = newCount; i < count; i++) {
            allocated -= blockLength(i);
        }
        count = newCount;
        if (count == 0) {
            parts = new long[][] {NONE};
            removed = 0;
        } else {
            int last = (removed + count - 1) / PART;
            parts = Arrays.copyOf(parts, last + 1);
            parts[last] = parts[last].clone();
        }
    }

    /** Makes the last extent shorter, right after {@link #truncate}. */
    void cutLast(int length, int tailCrc) {
        assert length > 0 && length < length(count - 1);
        setLast(length, tailCrc);
    }

    /**
     * Puts the bytes of an extent into another block. The piece is copied, because a {@linkplain
     * #frozen frozen} list may share it.
     */
    void replace(int index, BlockId id, int blockLength, long generation) {
        assert index < count && blockLength >= length(index);
        allocated += blockLength - blockLength(index);
        int part = (removed + index) / PART;
        long[] words = parts[part].clone();
        int at = (removed + index) % PART * WORDS;
        words[at + SERVER_SEGMENT] = pack(id.server(), id.segment());
        words[at + GENERATION] = generation;
        words[at + RECORD_BLOCK] = pack(id.record(), blockLength);
        parts[part] = words;
    }

    /** States a new length of the last extent. */
    public void growLast(int length, int tailCrc) {
        assert count > 0 && length >= length(count - 1) && length <= blockLength(count - 1);
        setLast(length, tailCrc);
    }

    private void setLast(int length, int tailCrc) {
        int last = removed + count - 1;
        parts[last / PART][last % PART * WORDS + LENGTH_CRC] = pack(length, tailCrc);
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

    /** For log and snapshot: extents of index {@code first} up to {@code end}. */
    public void encode(WireWriter writer, int first, int end) {
        writer.i32(end - first);
        for (int i = first; i < end; i++) {
            writer.i32(server(i)).i32(segment(i)).i32(record(i)).i32(blockLength(i));
            writer.i64(generation(i)).i32(length(i)).i32(tailCrc(i));
        }
    }

    /** Appends what {@link #encode} wrote. */
    public void decode(WireReader reader) throws ProtocolException {
        int more = reader.length32();
        if ((long) more * 32 > reader.remaining()) {
            throw new ProtocolException("extent list of " + more + " exceeds its record");
        }
        for (int i = 0; i < more; i++) {
            int server = reader.i32();
            int segment = reader.i32();
            int record = reader.i32();
            int block = reader.i32();
            long generation = reader.i64();
            append(server, segment, record, block, generation, reader.i32(), reader.i32());
        }
    }

    private long word(int index, int which) {
        int at = removed + index;
        return parts[at / PART][at % PART * WORDS + which];
    }

    private static long pack(int high, int low) {
        return ((long) high << 32) | (low & 0xFFFF_FFFFL);
    }
}
