// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.layout;

import io.crail.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Where the bytes of each partition are in the file of a map output. Immutable and thread-safe.
 *
 * <p>It is kept as it is stored, because an executor holds the indexes of a thousand maps with ten
 * thousand partitions each; where to begin is known for every 64th partition. All of it was checked
 * when it was decoded, so that looking something up cannot fail.
 */
public final class MapOutputIndex {
    private static final int SKIP = 64;

    /** Told of pieces. */
    @FunctionalInterface
    public interface PieceVisitor {
        /**
         * A piece.
         *
         * @param beginsStream whether it is the first of its stream
         * @param length more than 0
         */
        void piece(int partition, boolean beginsStream, long offset, long length);
    }

    private final int partitions;
    private final long dataBytes;
    private final StreamFormat format;
    private final byte[] index;

    /** For each 64th partition: its position in the index, and the end of the piece before. */
    private final int[] positions;

    private final long[] ends;

    private MapOutputIndex(int partitions, long dataBytes, StreamFormat format, byte[] index) {
        this.format = format;
        this.partitions = partitions;
        this.dataBytes = dataBytes;
        this.index = index;
        this.positions = new int[(partitions + SKIP - 1) / SKIP];
        this.ends = new long[positions.length];
    }

    /** How many bytes at the end of a file hold its footer most probably. */
    public static int probableFooterSize(int partitions) {
        return MapOutputFooter.TRAILER_SIZE + 64 + 12 * Math.min(partitions, 1 << 20);
    }

    /** Bytes that are needed to tell the size of a footer. */
    public static int trailerSize() {
        return MapOutputFooter.TRAILER_SIZE;
    }

    /**
     * Bytes of the footer that a file ends with.
     *
     * @param fileLength bytes of the file
     * @param tail the last bytes of the file, from position to limit, at least those of a trailer
     * @param file names the file in an error
     */
    public static int footerSize(long fileLength, ByteBuffer tail, String file)
            throws CorruptDataException {
        if (tail.remaining() < MapOutputFooter.TRAILER_SIZE) {
            throw new CorruptDataException(
                    file + " has " + fileLength + " bytes, too few for a map output of Spark");
        }
        ByteBuffer trailer = trailer(tail);
        if (trailer.getLong(MapOutputFooter.MAGIC) != MapOutputFooter.MAGIC_VALUE) {
            throw new CorruptDataException(
                    file + " is no map output of Spark, or was not written to its end");
        }
        int version = Short.toUnsignedInt(trailer.getShort(MapOutputFooter.VERSION));
        if (version != MapOutputFooter.CURRENT_VERSION) {
            throw new CorruptDataException(
                    file
                            + " is a map output of version "
                            + version
                            + ", this is crail for version "
                            + MapOutputFooter.CURRENT_VERSION
                            + "; give all executors the same jar");
        }
        long size =
                Integer.toUnsignedLong(trailer.getInt(MapOutputFooter.INDEX_BYTES))
                        + MapOutputFooter.TRAILER_SIZE;
        if (size > Integer.MAX_VALUE
                || trailer.getLong(MapOutputFooter.DATA_BYTES) != fileLength - size) {
            throw new CorruptDataException(
                    file + ": the index of the map output does not fit its file");
        }
        return (int) size;
    }

    private static ByteBuffer trailer(ByteBuffer tail) {
        return tail.slice(tail.limit() - MapOutputFooter.TRAILER_SIZE, MapOutputFooter.TRAILER_SIZE)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Decodes a footer.
     *
     * @param tail the last bytes of the file, from position to limit, at least those of the footer;
     *     they are copied
     */
    public static MapOutputIndex decode(long fileLength, ByteBuffer tail, String file)
            throws CorruptDataException {
        int size = footerSize(fileLength, tail, file);
        int indexBytes = size - MapOutputFooter.TRAILER_SIZE;
        ByteBuffer footer = tail.slice(tail.limit() - size, size).order(ByteOrder.LITTLE_ENDIAN);
        int checksum = MapOutputIndexBuilder.checksum(footer, indexBytes);
        if (checksum != footer.getInt(indexBytes + MapOutputFooter.CHECKSUM)) {
            throw new CorruptDataException(
                    file + ": the checksum of the map output's index does not match");
        }
        int partitions = footer.getInt(indexBytes + MapOutputFooter.PARTITIONS);
        // A partition takes a byte at least.
        if (partitions < 0 || partitions > indexBytes) {
            throw new CorruptDataException(
                    file + ": an index of " + indexBytes + " bytes for " + partitions);
        }
        byte[] index = new byte[indexBytes];
        footer.get(0, index);
        MapOutputIndex decoded =
                new MapOutputIndex(
                        partitions,
                        fileLength - size,
                        format(footer.getShort(indexBytes + MapOutputFooter.FORMAT), file),
                        index);
        decoded.check(file);
        return decoded;
    }

    /** Goes through all of it, and notes where partitions begin. */
    private void check(String file) throws CorruptDataException {
        Cursor cursor = new Cursor(0, 0);
        for (int partition = 0; partition < partitions; partition++) {
            if (partition % SKIP == 0) {
                positions[partition / SKIP] = cursor.position;
                ends[partition / SKIP] = cursor.end;
            }
            long pieces = cursor.number();
            for (long i = 0; i < pieces && !cursor.broken; i++) {
                cursor.piece();
                if (cursor.offset < 0
                        || cursor.length <= 0
                        || cursor.length > dataBytes - cursor.offset
                        || (i == 0 && !cursor.begins)) {
                    cursor.broken = true;
                }
            }
            if (cursor.broken || pieces < 0) {
                throw new CorruptDataException(
                        file + ": the index of the map output is wrong at partition " + partition);
            }
        }
        if (cursor.position != index.length) {
            throw new CorruptDataException(file + ": the index of the map output is too long");
        }
    }

    private static StreamFormat format(short code, String file) throws CorruptDataException {
        for (StreamFormat each : StreamFormat.values()) {
            if (each.code() == Short.toUnsignedInt(code)) {
                return each;
            }
        }
        throw new CorruptDataException(
                file
                        + ": the streams of the map output are made in way "
                        + Short.toUnsignedInt(code)
                        + ", which is not known here; give all executors the same jar");
    }

    /** How the streams were made. */
    public StreamFormat format() {
        return format;
    }

    /** Number of partitions. */
    public int partitions() {
        return partitions;
    }

    /** Bytes of memory that it takes, about. */
    public int footprint() {
        return index.length + 12 * positions.length + 64;
    }

    /**
     * Tells the pieces of partitions, in order.
     *
     * @throws IndexOutOfBoundsException if there are no such partitions
     */
    public void pieces(int from, int to, PieceVisitor visitor) {
        java.util.Objects.checkFromToIndex(from, to, partitions);
        if (from == to) {
            return;
        }
        Cursor cursor = new Cursor(positions[from / SKIP], ends[from / SKIP]);
        for (int partition = from - from % SKIP; partition < to; partition++) {
            long pieces = cursor.number();
            for (long i = 0; i < pieces; i++) {
                cursor.piece();
                if (partition >= from) {
                    visitor.piece(partition, cursor.begins, cursor.offset, cursor.length);
                }
            }
        }
    }

    /** Bytes of each partition. */
    public long[] partitionBytes() {
        long[] bytes = new long[partitions];
        pieces(0, partitions, (partition, begins, offset, length) -> bytes[partition] += length);
        return bytes;
    }

    @Override
    public String toString() {
        return partitions
                + " partitions in "
                + dataBytes
                + " bytes: "
                + Arrays.toString(partitionBytes());
    }

    /** Reads numbers one after the other; broken when they end before their time. */
    private final class Cursor {
        private int position;
        private long end;
        private boolean begins;
        private long offset;
        private long length;
        private boolean broken;

        Cursor(int position, long end) {
            this.position = position;
            this.end = end;
        }

        long number() {
            long number = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                if (position == index.length) {
                    break;
                }
                byte next = index[position++];
                number |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return number;
                }
            }
            broken = true;
            return 0;
        }

        void piece() {
            long head = number();
            begins = (head & 1) != 0;
            long zigzag = head >>> 1;
            offset = end + ((zigzag >>> 1) ^ -(zigzag & 1));
            length = number();
            end = offset + length;
        }
    }
}
