// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * SGL descriptor, 16 bytes (NVMe Base 2.0, section 4.1.2). Over TCP there are two: data in the
 * capsule, and data that the transport moves by its own PDUs; and a third one that is our own, data
 * in memory that the controller shares with a host on its machine ({@link SharedMemoryCommand}).
 * Over RDMA, data lies in the host's memory, which the controller reads and writes by a key; bytes
 * 8 to 14 are then
 *
 * <pre>
 *  8  u24  length
 * 11  u32  key
 * </pre>
 *
 * <p>Else
 *
 * <pre>
 *  0  u64  address, or offset
 *  8  u32  length
 * 12       reserved
 * 15  u8   bits 7:4 type, bits 3:0 subtype
 * </pre>
 */
public final class SglDescriptor {
    public static final int ADDRESS = 0;
    public static final int LENGTH = 8;
    public static final int TYPE = 15;
    public static final int SIZE = 16;

    /** Data block, subtype offset: the data lies in the capsule. */
    public static final int IN_CAPSULE = 0x01;

    /** Transport SGL data block: moved by C2HData, or by H2CData after R2T. */
    public static final int TRANSPORT = 0x5A;

    /** Keyed data block, subtype address: the controller reads or writes the host's memory. */
    public static final int KEYED = 0x40;

    /** Vendor specific: the data lies in the memory that the queue shares. */
    public static final int SHARED = 0xF0;

    /** Most bytes of a keyed data block. */
    public static final int MAX_KEYED_LENGTH = (1 << 24) - 1;

    private static final int RESERVED = 12;

    private SglDescriptor() {}

    /** Data in the capsule, from its first byte. */
    public static void encodeInCapsule(ByteBuffer buffer, int at, int length) {
        encode(buffer, at, 0, length, IN_CAPSULE);
    }

    public static void encodeTransport(ByteBuffer buffer, int at, int length) {
        encode(buffer, at, 0, length, TRANSPORT);
    }

    /**
     * Data in the memory that the queue shares.
     *
     * @param offset where it begins there
     */
    public static void encodeShared(ByteBuffer buffer, int at, long offset, int length) {
        encode(buffer, at, offset, length, SHARED);
    }

    /**
     * Data in the host's memory.
     *
     * @param length up to {@link #MAX_KEYED_LENGTH}; 0 for a command without data
     * @param key of the memory region, all 32 bits
     */
    public static void encodeKeyed(ByteBuffer buffer, int at, long address, int length, int key) {
        LittleEndian.i64(buffer, at + ADDRESS, address);
        LittleEndian.i32(buffer, at + LENGTH, (length & MAX_KEYED_LENGTH) | key << 24);
        LittleEndian.i32(buffer, at + RESERVED, key >>> 8 | KEYED << 24);
    }

    private static void encode(ByteBuffer buffer, int at, long address, int length, int type) {
        LittleEndian.i64(buffer, at + ADDRESS, address);
        LittleEndian.i32(buffer, at + LENGTH, length);
        LittleEndian.i32(buffer, at + RESERVED, type << 24);
    }

    public static long address(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + ADDRESS);
    }

    public static long length(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + LENGTH);
    }

    /**
     * Type and subtype: {@link #IN_CAPSULE}, {@link #TRANSPORT}, {@link #SHARED}, or what is not
     * allowed here.
     */
    public static int type(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + TYPE);
    }
}
