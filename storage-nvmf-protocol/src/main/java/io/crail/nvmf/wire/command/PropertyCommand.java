// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Property Get and Property Set (NVMe Base 2.0, sections 6.5 and 6.6).
 *
 * <pre>
 * 40  u8   ATTRIB: bits 2:0 size of the property, 0 = 4 bytes, 1 = 8 bytes
 * 44  u32  OFST
 * 48  u64  VALUE, of Property Set
 *
 * result of Property Get:  the value
 * </pre>
 */
public final class PropertyCommand {
    public static final int ATTRIBUTES = 40;
    public static final int OFFSET = 44;
    public static final int VALUE = 48;

    private static final int EIGHT_BYTES = 1;

    private PropertyCommand() {}

    /**
     * Writes a Property Get.
     *
     * @param size of the property, 4 or 8 bytes
     */
    public static void encodeGet(ByteBuffer buffer, int at, int commandId, int offset, int size) {
        encode(buffer, at, FabricsCommand.PROPERTY_GET, commandId, offset, size);
    }

    /**
     * Writes a Property Set.
     *
     * @param size of the property, 4 or 8 bytes
     */
    public static void encodeSet(
            ByteBuffer buffer, int at, int commandId, int offset, int size, long value) {
        encode(buffer, at, FabricsCommand.PROPERTY_SET, commandId, offset, size);
        LittleEndian.i64(buffer, at + VALUE, value);
    }

    private static void encode(
            ByteBuffer buffer, int at, int type, int commandId, int offset, int size) {
        FabricsCommand.encode(buffer, at, type, commandId);
        LittleEndian.u8(buffer, at + ATTRIBUTES, size == Long.BYTES ? EIGHT_BYTES : 0);
        LittleEndian.i32(buffer, at + OFFSET, offset);
    }

    /** 4 or 8, or 0 if the field is invalid. */
    public static int size(ByteBuffer buffer, int at) {
        return switch (LittleEndian.u8(buffer, at + ATTRIBUTES) & 7) {
            case 0 -> Integer.BYTES;
            case EIGHT_BYTES -> Long.BYTES;
            default -> 0;
        };
    }

    public static int offset(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + OFFSET);
    }

    /** VALUE; of a property of four bytes the upper half has no meaning. */
    public static long value(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + VALUE);
    }
}
