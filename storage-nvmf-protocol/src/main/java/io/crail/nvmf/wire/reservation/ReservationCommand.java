// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.reservation;

import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.SubmissionEntry;
import java.nio.ByteBuffer;

/**
 * Reservation Register, Acquire, Release and Report (NVMe Base 2.0, sections 7.3, 7.2, 7.4 and
 * 7.5).
 *
 * <pre>
 * Register  CDW10  2:0 RREGA, 3 IEKEY, 31:30 CPTPL;   data: u64 CRKEY, u64 NRKEY
 * Acquire   CDW10  2:0 RACQA, 3 IEKEY, 15:8 RTYPE;    data: u64 CRKEY, u64 PRKEY
 * Release   CDW10  2:0 RRELA, 3 IEKEY, 15:8 RTYPE;    data: u64 CRKEY
 * Report    CDW10  NUMD, units of 4 bytes from zero;  CDW11  0 EDS: 128-bit host identifiers
 * </pre>
 */
public final class ReservationCommand {
    /** RREGA. */
    public static final int REGISTER = 0;

    /** RREGA. */
    public static final int UNREGISTER = 1;

    /** RREGA. */
    public static final int REPLACE = 2;

    /** RACQA. */
    public static final int ACQUIRE = 0;

    /** RACQA. */
    public static final int PREEMPT = 1;

    /** RACQA. */
    public static final int PREEMPT_AND_ABORT = 2;

    /** RRELA. */
    public static final int RELEASE = 0;

    /** RRELA. */
    public static final int CLEAR = 1;

    /** Length of the data of Register and Acquire. */
    public static final int TWO_KEYS = 16;

    /** Length of the data of Release. */
    public static final int ONE_KEY = 8;

    private static final int IGNORE_KEY = 1 << 3;
    private static final int EXTENDED = 1;

    private ReservationCommand() {}

    /**
     * Writes a Reservation Register; its data is {@link #encodeKeys}.
     *
     * @param action RREGA
     * @param ignoreExistingKey IEKEY: CRKEY is not compared
     * @param changePersistence CPTPL: 0 no change, 2 lost with power, 3 kept through power loss
     */
    public static void encodeRegister(
            ByteBuffer buffer,
            int at,
            int commandId,
            int namespaceId,
            int action,
            boolean ignoreExistingKey,
            int changePersistence) {
        SubmissionEntry.encode(buffer, at, IoOpcode.RESERVATION_REGISTER, commandId, namespaceId);
        SubmissionEntry.cdw10(
                buffer,
                at,
                (action & 7) | (ignoreExistingKey ? IGNORE_KEY : 0) | (changePersistence << 30));
    }

    /**
     * Writes a Reservation Acquire; its data is {@link #encodeKeys}.
     *
     * @param action RACQA
     */
    public static void encodeAcquire(
            ByteBuffer buffer,
            int at,
            int commandId,
            int namespaceId,
            int action,
            ReservationType type) {
        SubmissionEntry.encode(buffer, at, IoOpcode.RESERVATION_ACQUIRE, commandId, namespaceId);
        SubmissionEntry.cdw10(buffer, at, (action & 7) | (type.code() << 8));
    }

    /**
     * Writes a Reservation Release; its data is {@link #encodeKey}.
     *
     * @param action RRELA
     * @param typeCode RTYPE; no meaning for {@link #CLEAR}
     */
    public static void encodeRelease(
            ByteBuffer buffer, int at, int commandId, int namespaceId, int action, int typeCode) {
        SubmissionEntry.encode(buffer, at, IoOpcode.RESERVATION_RELEASE, commandId, namespaceId);
        SubmissionEntry.cdw10(buffer, at, (action & 7) | ((typeCode & 0xFF) << 8));
    }

    /**
     * Writes a Reservation Report, which returns a {@link ReservationReport}.
     *
     * @param length in bytes, a multiple of 4
     * @param extended whether host identifiers have 128 bits, as fabrics need
     */
    public static void encodeReport(
            ByteBuffer buffer,
            int at,
            int commandId,
            int namespaceId,
            int length,
            boolean extended) {
        SubmissionEntry.encode(buffer, at, IoOpcode.RESERVATION_REPORT, commandId, namespaceId);
        SubmissionEntry.cdw10(buffer, at, length / 4 - 1);
        SubmissionEntry.cdw11(buffer, at, extended ? EXTENDED : 0);
    }

    /** RREGA, RACQA or RRELA. */
    public static int action(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) & 7;
    }

    /** IEKEY. */
    public static boolean isExistingKeyIgnored(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw10(buffer, at) & IGNORE_KEY) != 0;
    }

    /** CPTPL, of Register. */
    public static int changePersistence(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) >>> 30;
    }

    /** RTYPE, of Acquire and Release; {@link ReservationType#ofCode} knows its meaning. */
    public static int typeCode(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw10(buffer, at) >>> 8) & 0xFF;
    }

    /** Bytes that Report asks for. */
    public static long reportLength(ByteBuffer buffer, int at) {
        return ((SubmissionEntry.cdw10(buffer, at) & 0xFFFF_FFFFL) + 1) * 4;
    }

    /** EDS, of Report. */
    public static boolean isExtended(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw11(buffer, at) & EXTENDED) != 0;
    }

    /** Writes the data of Register (current and new key) or Acquire (current and preempted key). */
    public static void encodeKeys(ByteBuffer buffer, int at, long currentKey, long otherKey) {
        LittleEndian.i64(buffer, at, currentKey);
        LittleEndian.i64(buffer, at + Long.BYTES, otherKey);
    }

    /** Writes the data of Release. */
    public static void encodeKey(ByteBuffer buffer, int at, long currentKey) {
        LittleEndian.i64(buffer, at, currentKey);
    }

    /** CRKEY in the data of Register, Acquire or Release. */
    public static long currentKey(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at);
    }

    /** NRKEY in the data of Register, PRKEY in that of Acquire. */
    public static long otherKey(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + Long.BYTES);
    }
}
