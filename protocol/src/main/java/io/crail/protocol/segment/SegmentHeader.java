// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.segment;

import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.block.BlockGeometry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The header page of a segment file. UUIDs are stored as on the wire: upper half, then lower half,
 * each a little-endian u64.
 *
 * @param cookie random bytes by which clients recognise that they are on this host
 * @param cluster the cluster that owns the data
 * @param server identity of the server that made the file
 * @param segment number of the segment
 * @param incarnation random, never 0
 * @param dataBytes bytes of data
 */
public record SegmentHeader(
        UUID cookie, UUID cluster, UUID server, int segment, int incarnation, long dataBytes) {

    /** The header as {@link SegmentLayout#CHECKED_TO} bytes. */
    public ByteBuffer encode() {
        ByteBuffer page =
                ByteBuffer.allocate(SegmentLayout.CHECKED_TO).order(ByteOrder.LITTLE_ENDIAN);
        page.putLong(SegmentLayout.MAGIC_OFFSET, SegmentLayout.MAGIC);
        page.putInt(SegmentLayout.VERSION_OFFSET, SegmentLayout.VERSION);
        putUuid(page, SegmentLayout.COOKIE_OFFSET, cookie);
        putUuid(page, SegmentLayout.CLUSTER_OFFSET, cluster);
        putUuid(page, SegmentLayout.SERVER_OFFSET, server);
        page.putInt(SegmentLayout.SEGMENT_OFFSET, segment);
        page.putInt(SegmentLayout.INCARNATION_OFFSET, incarnation);
        page.putInt(SegmentLayout.SLOTS_OFFSET, SegmentLayout.slots(dataBytes));
        page.putLong(SegmentLayout.GENERATIONS_OFFSET, SegmentLayout.generationsOffset());
        page.putLong(SegmentLayout.CHECKSUMS_OFFSET, SegmentLayout.checksumsOffset(dataBytes));
        page.putLong(SegmentLayout.DATA_OFFSET, SegmentLayout.dataOffset(dataBytes));
        page.putLong(SegmentLayout.DATA_BYTES_OFFSET, dataBytes);
        page.putInt(SegmentLayout.CRC_OFFSET, crc(page));
        return page;
    }

    /** Whether the file was filled to its end: its header is written last. */
    public static boolean isComplete(ByteBuffer page) {
        return page.getLong(SegmentLayout.MAGIC_OFFSET) == SegmentLayout.MAGIC;
    }

    /**
     * The header of a complete file of {@code fileSize} bytes.
     *
     * @throws CrailException if the header was damaged, or written by a newer version
     */
    public static SegmentHeader decode(ByteBuffer page, Path file, long fileSize)
            throws CrailException {
        int version = page.getInt(SegmentLayout.VERSION_OFFSET);
        if (crc(page) != page.getInt(SegmentLayout.CRC_OFFSET)) {
            throw corrupt(file, "its header fails its checksum");
        }
        if (version != SegmentLayout.VERSION) {
            throw new VersionMismatchException(
                    "segment file "
                            + file
                            + " has layout version "
                            + version
                            + ", this program knows "
                            + SegmentLayout.VERSION
                            + "; start the version that wrote it, or discard it with --format");
        }
        SegmentHeader header =
                new SegmentHeader(
                        uuid(page, SegmentLayout.COOKIE_OFFSET),
                        uuid(page, SegmentLayout.CLUSTER_OFFSET),
                        uuid(page, SegmentLayout.SERVER_OFFSET),
                        page.getInt(SegmentLayout.SEGMENT_OFFSET),
                        page.getInt(SegmentLayout.INCARNATION_OFFSET),
                        page.getLong(SegmentLayout.DATA_BYTES_OFFSET));
        header.check(page, file, fileSize);
        return header;
    }

    private void check(ByteBuffer page, Path file, long fileSize) throws CorruptDataException {
        if (dataBytes <= 0
                || dataBytes > SegmentLayout.MAX_DATA
                || dataBytes % BlockGeometry.SLAB_SIZE != 0) {
            throw corrupt(file, "it claims " + dataBytes + " bytes of data");
        }
        if (fileSize != SegmentLayout.fileSize(dataBytes)) {
            throw corrupt(
                    file,
                    "it has "
                            + fileSize
                            + " bytes instead of "
                            + SegmentLayout.fileSize(dataBytes));
        }
        if (page.getInt(SegmentLayout.SLOTS_OFFSET) != SegmentLayout.slots(dataBytes)
                || page.getLong(SegmentLayout.GENERATIONS_OFFSET)
                        != SegmentLayout.generationsOffset()
                || page.getLong(SegmentLayout.CHECKSUMS_OFFSET)
                        != SegmentLayout.checksumsOffset(dataBytes)
                || page.getLong(SegmentLayout.DATA_OFFSET) != SegmentLayout.dataOffset(dataBytes)
                || incarnation == 0) {
            throw corrupt(file, "its header contradicts itself");
        }
    }

    private static CorruptDataException corrupt(Path file, String why) {
        return new CorruptDataException(
                "segment file "
                        + file
                        + " is damaged: "
                        + why
                        + "; its data cannot be used: remove the file, or start with --format");
    }

    private static int crc(ByteBuffer page) {
        CRC32C crc = new CRC32C();
        crc.update(
                page.slice(
                        SegmentLayout.CHECKED_FROM,
                        SegmentLayout.CHECKED_TO - SegmentLayout.CHECKED_FROM));
        return (int) crc.getValue();
    }

    private static void putUuid(ByteBuffer page, int at, UUID value) {
        page.putLong(at, value.getMostSignificantBits());
        page.putLong(at + 8, value.getLeastSignificantBits());
    }

    private static UUID uuid(ByteBuffer page, int at) {
        return new UUID(page.getLong(at), page.getLong(at + 8));
    }
}
