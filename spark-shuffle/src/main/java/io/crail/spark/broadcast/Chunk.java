// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a value as it lies in its file. The file is all chunks, one behind the other, and then
 * a table with an entry for each.
 *
 * @param flags what it holds, and how
 * @param plainLength bytes before compression and encryption, at most {@link #SIZE}
 * @param position of its first byte in the file
 * @param length bytes in the file
 */
record Chunk(int flags, int plainLength, long position, int length) {
    /** Bytes of a chunk that is full; of elements of any size a whole number. */
    static final int SIZE = 1 << 20;

    /** Belongs to an array that is stored apart; else to the stream of objects. */
    static final int ARRAY = 1;

    /** The last chunk of an array. */
    static final int ENDS_ARRAY = 2;

    static final int COMPRESSED = 4;
    static final int ENCRYPTED = 8;

    private static final int ALL_FLAGS = ARRAY | ENDS_ARRAY | COMPRESSED | ENCRYPTED;
    private static final int ENTRY = 3 * Integer.BYTES;

    /** Chunks of a file at most, so that the table fits an array. */
    static final int MAX_CHUNKS = Integer.MAX_VALUE / ENTRY;

    /** More than any codec makes of a full chunk. */
    private static final int MAX_STORED = 2 * SIZE;

    boolean is(int flag) {
        return (flags & flag) != 0;
    }

    /** Whether the bytes in the file are those of the value. */
    boolean isPlain() {
        return (flags & (COMPRESSED | ENCRYPTED)) == 0;
    }

    static int tableSize(int chunks) {
        return Math.multiplyExact(chunks, ENTRY);
    }

    static byte[] encode(List<Chunk> chunks) {
        ByteBuffer table =
                ByteBuffer.allocate(tableSize(chunks.size())).order(ByteOrder.LITTLE_ENDIAN);
        for (Chunk each : chunks) {
            table.putInt(each.flags).putInt(each.plainLength).putInt(each.length);
        }
        return table.array();
    }

    /**
     * Reads a table.
     *
     * @param path of the file, for the message
     * @param end where the table begins
     * @throws CorruptDataException if it is none, or of another file
     */
    static List<Chunk> decode(String path, ByteBuffer table, long end) throws CorruptDataException {
        table.order(ByteOrder.LITTLE_ENDIAN);
        List<Chunk> chunks = new ArrayList<>();
        long position = 0;
        while (table.remaining() >= ENTRY) {
            Chunk next = new Chunk(table.getInt(), table.getInt(), position, table.getInt());
            if ((next.flags & ~ALL_FLAGS) != 0
                    || next.plainLength < 0
                    || next.plainLength > SIZE
                    || next.length < 0
                    || next.length > MAX_STORED
                    || (next.isPlain() && next.length != next.plainLength)) {
                throw wrong(path, "entry " + chunks.size() + " of its table is none");
            }
            chunks.add(next);
            position += next.length;
        }
        if (position != end || table.hasRemaining()) {
            throw wrong(path, "its table tells of " + position + " bytes, there are " + end);
        }
        return chunks;
    }

    private static CorruptDataException wrong(String path, String why) {
        return new CorruptDataException(path + " is no broadcast of this version: " + why);
    }
}
