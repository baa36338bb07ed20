// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.identify;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Identify Namespace, 4,096 bytes (NVM Command Set 1.0, section 4.1.5.1). Each field has one method
 * to read and one of the same name to write it; the writer zeroes the structure first.
 */
public final class NamespaceData {
    public static final int SIZE = 4096;

    /** What an index of formats can name here. */
    public static final int MAX_FORMATS = 16;

    /** RESCAP: reservations persist through loss of power. */
    public static final int RESERVATION_PERSISTENCE = 1;

    private static final int GUID = 104;
    private static final int EUI64 = 120;
    private static final int FORMAT = 128;
    private static final int FORMAT_SIZE = 4;

    private static final int SIZE_BLOCKS = 0;
    private static final int CAPACITY = 8;
    private static final int UTILIZATION = 16;
    private static final int FEATURES = 24;
    private static final int FORMATS = 25;
    private static final int CURRENT_FORMAT = 26;
    private static final int METADATA_CAPABILITIES = 27;
    private static final int PROTECTION_CAPABILITIES = 28;
    private static final int PROTECTION = 29;
    private static final int SHARING = 30;
    private static final int RESERVATION_CAPABILITIES = 31;
    private static final int DEALLOCATION = 33;
    private static final int OPTIMAL_IO_BOUNDARY = 46;
    private static final int PREFERRED_WRITE_GRANULARITY = 64;
    private static final int PREFERRED_DEALLOCATE_GRANULARITY = 68;
    private static final int ATTRIBUTES = 99;

    private NamespaceData() {}

    /** NSZE, in blocks. */
    public static long size(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + SIZE_BLOCKS);
    }

    public static void size(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + SIZE_BLOCKS, value);
    }

    /** NCAP, in blocks. */
    public static long capacity(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + CAPACITY);
    }

    public static void capacity(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + CAPACITY, value);
    }

    /** NUSE, in blocks. */
    public static long utilization(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + UTILIZATION);
    }

    public static void utilization(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + UTILIZATION, value);
    }

    /**
     * NSFEAT: bit 0 thin provisioning, bit 2 error for deallocated blocks, bit 4 NPWG .. NOWS are
     * set.
     */
    public static int features(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + FEATURES);
    }

    public static void features(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + FEATURES, value);
    }

    /** NLBAF: number of formats, from zero. */
    public static int formats(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + FORMATS);
    }

    public static void formats(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + FORMATS, value);
    }

    /** FLBAS: bits 3:0 index of the format in use, bit 4 metadata behind the data. */
    public static int currentFormat(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + CURRENT_FORMAT);
    }

    public static void currentFormat(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + CURRENT_FORMAT, value);
    }

    /** MC. */
    public static int metadataCapabilities(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + METADATA_CAPABILITIES);
    }

    public static void metadataCapabilities(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + METADATA_CAPABILITIES, value);
    }

    /** DPC. */
    public static int protectionCapabilities(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + PROTECTION_CAPABILITIES);
    }

    public static void protectionCapabilities(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + PROTECTION_CAPABILITIES, value);
    }

    /** DPS: bits 2:0 not 0 if protection information is in use. */
    public static int protection(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + PROTECTION);
    }

    public static void protection(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + PROTECTION, value);
    }

    /** NMIC: bit 0, several controllers may attach it. */
    public static int sharing(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + SHARING);
    }

    public static void sharing(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + SHARING, value);
    }

    /** RESCAP: bit 0 persistence, bits 6:1 types, see {@code ReservationType.capability}. */
    public static int reservationCapabilities(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + RESERVATION_CAPABILITIES);
    }

    public static void reservationCapabilities(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + RESERVATION_CAPABILITIES, value);
    }

    /**
     * DLFEAT: bits 2:0 what deallocated blocks read as (1 zeros), bit 3 Write Zeroes may
     * deallocate.
     */
    public static int deallocation(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + DEALLOCATION);
    }

    public static void deallocation(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + DEALLOCATION, value);
    }

    /** NOIOB, in blocks; 0 for none. */
    public static int optimalIoBoundary(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + OPTIMAL_IO_BOUNDARY);
    }

    public static void optimalIoBoundary(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + OPTIMAL_IO_BOUNDARY, value);
    }

    /** NPWG, in blocks, from zero. */
    public static int preferredWriteGranularity(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + PREFERRED_WRITE_GRANULARITY);
    }

    public static void preferredWriteGranularity(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + PREFERRED_WRITE_GRANULARITY, value);
    }

    /** NPDG, in blocks, from zero. */
    public static int preferredDeallocateGranularity(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + PREFERRED_DEALLOCATE_GRANULARITY);
    }

    public static void preferredDeallocateGranularity(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + PREFERRED_DEALLOCATE_GRANULARITY, value);
    }

    /** NSATTR: bit 0, write protected. */
    public static int attributes(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + ATTRIBUTES);
    }

    public static void attributes(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + ATTRIBUTES, value);
    }

    /** Index of the format in use. */
    public static int formatIndex(ByteBuffer buffer, int at) {
        return currentFormat(buffer, at) & 0xF;
    }

    /** MS of a format: bytes of metadata per block. */
    public static int metadataSize(ByteBuffer buffer, int at, int format) {
        return LittleEndian.u16(buffer, at + FORMAT + format * FORMAT_SIZE);
    }

    /** LBADS of a format: size of a block as a power of two, at least 9; 0: no such format. */
    public static int blockShift(ByteBuffer buffer, int at, int format) {
        return LittleEndian.u8(buffer, at + FORMAT + format * FORMAT_SIZE + 2);
    }

    /**
     * Writes a format.
     *
     * @param relativePerformance RP: 0 best .. 3 degraded
     */
    public static void format(
            ByteBuffer buffer,
            int at,
            int format,
            int metadataSize,
            int blockShift,
            int relativePerformance) {
        LittleEndian.i32(
                buffer,
                at + FORMAT + format * FORMAT_SIZE,
                metadataSize | (blockShift << 16) | (relativePerformance << 24));
    }

    /** NGUID, as its 16 bytes stand, most significant first. */
    public static UUID guid(ByteBuffer buffer, int at) {
        return new UUID(
                Long.reverseBytes(LittleEndian.i64(buffer, at + GUID)),
                Long.reverseBytes(LittleEndian.i64(buffer, at + GUID + Long.BYTES)));
    }

    public static void guid(ByteBuffer buffer, int at, UUID value) {
        LittleEndian.i64(buffer, at + GUID, Long.reverseBytes(value.getMostSignificantBits()));
        LittleEndian.i64(
                buffer, at + GUID + Long.BYTES, Long.reverseBytes(value.getLeastSignificantBits()));
    }

    /** EUI64, most significant byte first. */
    public static long eui64(ByteBuffer buffer, int at) {
        return Long.reverseBytes(LittleEndian.i64(buffer, at + EUI64));
    }

    public static void eui64(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + EUI64, Long.reverseBytes(value));
    }
}
