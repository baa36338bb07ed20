// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.log;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Log page Reservation Notification, 64 bytes (NVMe Base 2.0, section 5.16.1.24): u64 count, u8
 * type, u8 number of further pages, two reserved bytes, u32 NSID.
 */
public final class ReservationNotification {
    public static final int SIZE = 64;
    public static final int TYPE_EMPTY = 0;
    public static final int TYPE_REGISTRATION_PREEMPTED = 1;
    public static final int TYPE_RESERVATION_RELEASED = 2;
    public static final int TYPE_RESERVATION_PREEMPTED = 3;

    private static final int TYPE = 8;
    private static final int AVAILABLE = 9;
    private static final int NAMESPACE_ID = 12;

    private ReservationNotification() {}

    public static void encode(
            ByteBuffer buffer, int at, long count, int type, int available, int namespaceId) {
        LittleEndian.zero(buffer, at, SIZE);
        LittleEndian.i64(buffer, at, count);
        LittleEndian.u8(buffer, at + TYPE, type);
        LittleEndian.u8(buffer, at + AVAILABLE, available);
        LittleEndian.i32(buffer, at + NAMESPACE_ID, namespaceId);
    }

    public static long count(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at);
    }

    public static int type(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + TYPE);
    }

    /** Further pages, besides this one. */
    public static int available(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + AVAILABLE);
    }

    public static int namespaceId(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + NAMESPACE_ID);
    }
}
