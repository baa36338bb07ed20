// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Notes the pieces of a map output while it is written. Pieces of a partition come in order, those
 * of different partitions as they like. Not thread-safe.
 */
public final class MapOutputIndexBuilder {
    private static final int NONE = -1;
    private static final int MAX_PIECES = 1 << 26;

    private final StreamFormat format;
    private final int[] first;
    private final int[] last;
    private final long[] bytes;
    private int[] next = new int[16];
    private long[] offsets = new long[16];
    private long[] lengths = new long[16];
    private boolean[] begins = new boolean[16];
    private int pieces;

    /**
     * An index without pieces.
     *
     * @param partitions 0 .. 2^24
     * @param format of all streams
     */
    public MapOutputIndexBuilder(int partitions, StreamFormat format) {
        this.format = format;
        if (partitions < 0 || partitions > MapOutputFooter.MAX_PARTITIONS) {
            throw new IllegalArgumentException(
                    partitions + " partitions, must be 0.." + MapOutputFooter.MAX_PARTITIONS);
        }
        first = new int[partitions];
        last = new int[partitions];
        bytes = new long[partitions];
        Arrays.fill(first, NONE);
        Arrays.fill(last, NONE);
    }

    /**
     * A piece was written.
     *
     * @param beginsStream whether the streams of the partition before it are complete
     * @param offset of its first byte in the file
     * @param length bytes, more than 0
     */
    public void add(int partition, boolean beginsStream, long offset, long length) {
        if (offset < 0 || length <= 0) {
            throw new IllegalArgumentException("piece of " + length + " bytes at " + offset);
        }
        bytes[partition] += length;
        int before = last[partition];
        if (before != NONE && !beginsStream && offsets[before] + lengths[before] == offset) {
            lengths[before] += length;
            return;
        }
        int piece = newPiece();
        offsets[piece] = offset;
        lengths[piece] = length;
        begins[piece] = beginsStream || before == NONE;
        next[piece] = NONE;
        last[partition] = piece;
        if (before == NONE) {
            first[partition] = piece;
        } else {
            next[before] = piece;
        }
    }

    private int newPiece() {
        if (pieces == MAX_PIECES) {
            throw new IllegalStateException("more than " + MAX_PIECES + " pieces in a map output");
        }
        if (pieces == next.length) {
            int room = pieces * 2;
            next = Arrays.copyOf(next, room);
            offsets = Arrays.copyOf(offsets, room);
            lengths = Arrays.copyOf(lengths, room);
            begins = Arrays.copyOf(begins, room);
        }
        return pieces++;
    }

    /** Bytes of each partition so far. */
    public long[] partitionBytes() {
        return bytes.clone();
    }

    /**
     * What has to stand behind the data.
     *
     * @param dataBytes bytes of the file so far
     */
    public ByteBuffer footer(long dataBytes) {
        VariableLengthWriter index = new VariableLengthWriter();
        long end = 0;
        for (int partition = 0; partition < first.length; partition++) {
            index.put(count(partition));
            for (int piece = first[partition]; piece != NONE; piece = next[piece]) {
                long step = offsets[piece] - end;
                index.put(((step << 1) ^ (step >> 63)) << 1 | (begins[piece] ? 1 : 0));
                index.put(lengths[piece]);
                end = offsets[piece] + lengths[piece];
            }
        }
        return withTrailer(index, dataBytes);
    }

    private int count(int partition) {
        int count = 0;
        for (int piece = first[partition]; piece != NONE; piece = next[piece]) {
            count++;
        }
        return count;
    }

    private ByteBuffer withTrailer(VariableLengthWriter index, long dataBytes) {
        int size = index.size();
        ByteBuffer footer =
                ByteBuffer.allocate(size + MapOutputFooter.TRAILER_SIZE)
                        .order(ByteOrder.LITTLE_ENDIAN);
        index.copyTo(footer);
        footer.putInt(size + MapOutputFooter.INDEX_BYTES, size);
        footer.putInt(size + MapOutputFooter.PARTITIONS, first.length);
        footer.putLong(size + MapOutputFooter.DATA_BYTES, dataBytes);
        footer.putShort(size + MapOutputFooter.VERSION, MapOutputFooter.CURRENT_VERSION);
        footer.putShort(size + MapOutputFooter.FORMAT, (short) format.code());
        footer.putLong(size + MapOutputFooter.MAGIC, MapOutputFooter.MAGIC_VALUE);
        footer.putInt(size + MapOutputFooter.CHECKSUM, checksum(footer, size));
        return footer.rewind();
    }

    /** Of a footer whose index has so many bytes and which begins at 0. */
    static int checksum(ByteBuffer footer, int indexBytes) {
        CRC32C crc = new CRC32C();
        crc.update(footer.slice(0, indexBytes + MapOutputFooter.CHECKSUM));
        crc.update(footer.slice(indexBytes + MapOutputFooter.MAGIC, Long.BYTES));
        return (int) crc.getValue();
    }
}
