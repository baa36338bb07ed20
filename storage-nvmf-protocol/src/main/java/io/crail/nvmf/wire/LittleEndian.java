// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Fields of NVMe structures in a buffer. They are little-endian whatever order the buffer has, so
 * that a slice, which forgets its order, cannot turn a field round. Positions are absolute; the
 * buffer checks them. Thread-safe as far as the buffer is not shared.
 */
public final class LittleEndian {
    private static final VarHandle SHORT =
            MethodHandles.byteBufferViewVarHandle(short[].class, LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, LITTLE_ENDIAN);

    private LittleEndian() {}

    public static int u8(ByteBuffer buffer, int at) {
        return buffer.get(at) & 0xFF;
    }

    public static void u8(ByteBuffer buffer, int at, int value) {
        buffer.put(at, (byte) value);
    }

    public static int u16(ByteBuffer buffer, int at) {
        return (short) SHORT.get(buffer, at) & 0xFFFF;
    }

    public static void u16(ByteBuffer buffer, int at, int value) {
        SHORT.set(buffer, at, (short) value);
    }

    /** All 32 bits; compare with {@link Integer#compareUnsigned} or use {@link #u32}. */
    public static int i32(ByteBuffer buffer, int at) {
        return (int) INT.get(buffer, at);
    }

    public static long u32(ByteBuffer buffer, int at) {
        return (int) INT.get(buffer, at) & 0xFFFF_FFFFL;
    }

    public static void i32(ByteBuffer buffer, int at, int value) {
        INT.set(buffer, at, value);
    }

    /** All 64 bits; unsigned in most fields. */
    public static long i64(ByteBuffer buffer, int at) {
        return (long) LONG.get(buffer, at);
    }

    public static void i64(ByteBuffer buffer, int at, long value) {
        LONG.set(buffer, at, value);
    }

    /** Sets a range to zero: reserved fields are sent so. */
    public static void zero(ByteBuffer buffer, int at, int length) {
        int end = at + length;
        int position = at;
        for (; position + Long.BYTES <= end; position += Long.BYTES) {
            LONG.set(buffer, position, 0L);
        }
        for (; position < end; position++) {
            buffer.put(position, (byte) 0);
        }
    }
}
