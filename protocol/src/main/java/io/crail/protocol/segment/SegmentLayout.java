// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.segment;

import io.crail.protocol.block.BlockGeometry;

/**
 * Offsets in a segment file, all little-endian. The file holds a header page, the control area and
 * the data, in this order:
 *
 * <pre>
 *   0 u64 magic "CRAILSEG"          8 u32 layout version        12 u32 CRC32C of bytes 16..128
 *  16 u8[16] cookie                32 u8[16] cluster id         48 u8[16] server uuid
 *  64 u32 segment number           68 u32 incarnation           72 u32 slots
 *  76 u32 flags (0)                80 u64 offset of generations 88 u64 offset of checksums
 *  96 u64 offset of data          104 u64 bytes of data        112 u8[16] zero
 * </pre>
 *
 * <p>Control area: a u64 generation word per slot (8-byte aligned), then a u32 salted checksum per
 * slot. Two arrays and not one array of records, because readers fetch the checksums of a whole
 * block at once and touch only the first generation word of it. Data starts at a multiple of 2 MiB,
 * so that huge pages hold it from its first byte.
 *
 * <p>The header is written last, when every page of the file has been filled: a file without magic
 * is not a segment yet.
 */
public final class SegmentLayout {
    /** "CRAILSEG" read as a little-endian long. */
    public static final long MAGIC = 0x4745534C49415243L;

    public static final int VERSION = 1;
    public static final int HEADER_SIZE = 4096;
    public static final int CHECKED_FROM = 16;
    public static final int CHECKED_TO = 128;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int CRC_OFFSET = 12;
    public static final int COOKIE_OFFSET = 16;
    public static final int CLUSTER_OFFSET = 32;
    public static final int SERVER_OFFSET = 48;
    public static final int SEGMENT_OFFSET = 64;
    public static final int INCARNATION_OFFSET = 68;
    public static final int SLOTS_OFFSET = 72;
    public static final int FLAGS_OFFSET = 76;
    public static final int GENERATIONS_OFFSET = 80;
    public static final int CHECKSUMS_OFFSET = 88;
    public static final int DATA_OFFSET = 96;
    public static final int DATA_BYTES_OFFSET = 104;

    /** A segment is mapped in one piece by JDK 17, which cannot map 2 GiB. */
    public static final long MAX_DATA = 1L << 30;

    private static final long DATA_ALIGNMENT = 2L << 20;

    /** Names of segment files are this and the number of the segment in decimal. */
    public static final String FILE_PREFIX = "segment-";

    private SegmentLayout() {}

    /** Name of the file of a segment in the directory of segments. */
    public static String fileName(int segment) {
        return FILE_PREFIX + segment;
    }

    /** Number of slots of a segment with {@code dataBytes} of data. */
    public static int slots(long dataBytes) {
        return (int) (dataBytes >>> BlockGeometry.SLOT_SHIFT);
    }

    public static long generationsOffset() {
        return HEADER_SIZE;
    }

    public static long checksumsOffset(long dataBytes) {
        return generationsOffset() + 8L * slots(dataBytes);
    }

    public static long dataOffset(long dataBytes) {
        long end = checksumsOffset(dataBytes) + 4L * slots(dataBytes);
        return (end + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT;
    }

    /**
     * Cuts a capacity into segments. Only whole segments are offered, so they are made as large as
     * possible with little left over: all of one size, a multiple of a slab.
     *
     * @param largest bytes of data of a segment at most
     */
    public static long segmentSize(long capacity, long largest) {
        long segments = Math.max(1, (capacity + largest - 1) / largest);
        return Math.max(
                BlockGeometry.SLAB_SIZE,
                capacity / segments / BlockGeometry.SLAB_SIZE * BlockGeometry.SLAB_SIZE);
    }

    /** Size of the whole file. */
    public static long fileSize(long dataBytes) {
        return dataOffset(dataBytes) + dataBytes;
    }
}
