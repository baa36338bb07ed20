// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.log;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Log page Commands Supported and Effects, 4,096 bytes (NVMe Base 2.0, section 5.16.1.6): u32 for
 * each of 256 admin commands, then for each of 256 I/O commands.
 */
public final class CommandEffects {
    public static final int SIZE = 4096;

    /** CSUPP. */
    public static final int SUPPORTED = 1;

    /** LBCC: changes logical blocks. */
    public static final int CHANGES_BLOCKS = 1 << 1;

    /** NCC: changes capabilities of a namespace. */
    public static final int CHANGES_NAMESPACE = 1 << 2;

    private static final int IO_COMMANDS = 1024;

    private CommandEffects() {}

    public static int ofAdmin(ByteBuffer buffer, int at, int opcode) {
        return LittleEndian.i32(buffer, at + opcode * Integer.BYTES);
    }

    public static void ofAdmin(ByteBuffer buffer, int at, int opcode, int effects) {
        LittleEndian.i32(buffer, at + opcode * Integer.BYTES, effects);
    }

    public static int ofIo(ByteBuffer buffer, int at, int opcode) {
        return LittleEndian.i32(buffer, at + IO_COMMANDS + opcode * Integer.BYTES);
    }

    public static void ofIo(ByteBuffer buffer, int at, int opcode, int effects) {
        LittleEndian.i32(buffer, at + IO_COMMANDS + opcode * Integer.BYTES, effects);
    }
}
