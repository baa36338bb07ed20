// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Submission queue entry, 64 bytes (NVMe Base 2.0, section 3.3.3.1).
 *
 * <pre>
 *  0  u8   opcode
 *  1  u8   bits 1:0 FUSE; bits 7:6 PSDT (always 01b in fabrics: SGL)
 *  2  u16  CID
 *  4  u32  NSID; in fabrics commands byte 4 is FCTYPE
 *  8  u32  CDW2, CDW3
 * 16  u64  metadata pointer
 * 24       SGL1: the descriptor of the data, see {@link SglDescriptor}
 * 40  u32  CDW10 .. CDW15
 * </pre>
 */
public final class SubmissionEntry {
    public static final int OPCODE = 0;
    public static final int FLAGS = 1;
    public static final int COMMAND_ID = 2;
    public static final int NAMESPACE_ID = 4;
    public static final int METADATA = 16;
    public static final int SGL = 24;
    public static final int CDW10 = 40;
    public static final int CDW11 = 44;
    public static final int CDW12 = 48;
    public static final int CDW13 = 52;
    public static final int CDW14 = 56;
    public static final int CDW15 = 60;
    public static final int SIZE = 64;

    /** PSDT 01b: the data pointer is an SGL descriptor. */
    public static final int FLAG_SGL = 0x40;

    private static final int PSDT_SHIFT = 6;

    private SubmissionEntry() {}

    /** Writes an entry whose other fields are zero. */
    public static void encode(
            ByteBuffer buffer, int at, int opcode, int commandId, int namespaceId) {
        LittleEndian.zero(buffer, at, SIZE);
        LittleEndian.u8(buffer, at + OPCODE, opcode);
        LittleEndian.u8(buffer, at + FLAGS, FLAG_SGL);
        LittleEndian.u16(buffer, at + COMMAND_ID, commandId);
        LittleEndian.i32(buffer, at + NAMESPACE_ID, namespaceId);
    }

    public static int opcode(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + OPCODE);
    }

    /** 0 unless the command is part of a fused pair. */
    public static int fuse(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + FLAGS) & 3;
    }

    /** PSDT; 1 is SGL, the only one that fabrics allow. */
    public static int pointerType(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + FLAGS) >>> PSDT_SHIFT;
    }

    public static int commandId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + COMMAND_ID);
    }

    public static void commandId(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + COMMAND_ID, value);
    }

    public static int namespaceId(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + NAMESPACE_ID);
    }

    public static int cdw10(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + CDW10);
    }

    public static void cdw10(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + CDW10, value);
    }

    public static int cdw11(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + CDW11);
    }

    public static void cdw11(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + CDW11, value);
    }

    public static int cdw12(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + CDW12);
    }

    public static void cdw12(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + CDW12, value);
    }

    public static int cdw13(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + CDW13);
    }

    public static void cdw13(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + CDW13, value);
    }

    public static int cdw14(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + CDW14);
    }

    public static void cdw14(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + CDW14, value);
    }
}
