// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.reservation;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What Reservation Report returns with EDS, which fabrics need for their 128-bit host identifiers
 * (NVMe Base 2.0, section 7.5).
 *
 * <pre>
 *  0  u32  GEN: changes with every change of a registration
 *  4  u8   RTYPE: 0 if nobody holds a reservation
 *  5  u16  number of registrants that follow
 *  9  u8   PTPLS
 * 64       registrants, 64 bytes each:
 *            0  u16  CNTLID, FFFFh for a host without controller
 *            2  u8   RCSTS: bit 0, it holds the reservation
 *            8  u64  RKEY
 *           16  16   HOSTID
 * </pre>
 */
public final class ReservationReport {
    public static final int GENERATION = 0;
    public static final int TYPE = 4;
    public static final int REGISTRANTS = 5;
    public static final int PERSISTENCE = 9;

    /** Where the first registrant lies. */
    public static final int HEADER_SIZE = 64;

    public static final int REGISTRANT_SIZE = 64;

    private static final int CONTROLLER_ID = 0;
    private static final int STATUS = 2;
    private static final int KEY = 8;
    private static final int HOST_ID = 16;
    private static final int HOLDS = 1;

    private ReservationReport() {}

    /** Length of the report of so many registrants. */
    public static int size(int registrants) {
        return HEADER_SIZE + registrants * REGISTRANT_SIZE;
    }

    /**
     * Writes what stands before the registrants.
     *
     * @param typeCode 0 if nobody holds a reservation
     */
    public static void encodeHeader(
            ByteBuffer buffer,
            int at,
            int generation,
            int typeCode,
            int registrants,
            boolean persistent) {
        LittleEndian.zero(buffer, at, HEADER_SIZE);
        LittleEndian.i32(buffer, at + GENERATION, generation);
        LittleEndian.u8(buffer, at + TYPE, typeCode);
        LittleEndian.u16(buffer, at + REGISTRANTS, registrants);
        LittleEndian.u8(buffer, at + PERSISTENCE, persistent ? 1 : 0);
    }

    /** Writes a registrant; {@code at} is its own position. */
    public static void encodeRegistrant(
            ByteBuffer buffer, int at, int controllerId, boolean holds, long key, UUID hostId) {
        LittleEndian.zero(buffer, at, REGISTRANT_SIZE);
        LittleEndian.u16(buffer, at + CONTROLLER_ID, controllerId);
        LittleEndian.u8(buffer, at + STATUS, holds ? HOLDS : 0);
        LittleEndian.i64(buffer, at + KEY, key);
        LittleEndian.i64(buffer, at + HOST_ID, Long.reverseBytes(hostId.getMostSignificantBits()));
        LittleEndian.i64(
                buffer,
                at + HOST_ID + Long.BYTES,
                Long.reverseBytes(hostId.getLeastSignificantBits()));
    }

    public static int generation(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + GENERATION);
    }

    public static int typeCode(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + TYPE);
    }

    /** All registrants, even if fewer fitted into what was asked for. */
    public static int registrants(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + REGISTRANTS);
    }

    public static boolean isPersistent(ByteBuffer buffer, int at) {
        return (LittleEndian.u8(buffer, at + PERSISTENCE) & 1) != 0;
    }

    /** Of the registrant at {@code at}, as the following ones. */
    public static int controllerId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + CONTROLLER_ID);
    }

    public static boolean holds(ByteBuffer buffer, int at) {
        return (LittleEndian.u8(buffer, at + STATUS) & HOLDS) != 0;
    }

    public static long key(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + KEY);
    }

    public static UUID hostId(ByteBuffer buffer, int at) {
        return new UUID(
                Long.reverseBytes(LittleEndian.i64(buffer, at + HOST_ID)),
                Long.reverseBytes(LittleEndian.i64(buffer, at + HOST_ID + Long.BYTES)));
    }
}
