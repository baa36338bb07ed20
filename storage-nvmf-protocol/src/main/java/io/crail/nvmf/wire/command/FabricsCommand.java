// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * What fabrics commands have in common: opcode 7Fh and the type in byte 4 (NVMe Base 2.0, section
 * 6).
 */
public final class FabricsCommand {
    public static final int PROPERTY_SET = 0x00;
    public static final int CONNECT = 0x01;
    public static final int PROPERTY_GET = 0x04;
    public static final int AUTHENTICATION_SEND = 0x05;
    public static final int AUTHENTICATION_RECEIVE = 0x06;
    public static final int DISCONNECT = 0x08;

    /** FCTYPE. */
    public static final int TYPE = 4;

    private FabricsCommand() {}

    static void encode(ByteBuffer buffer, int at, int type, int commandId) {
        SubmissionEntry.encode(buffer, at, AdminOpcode.FABRICS, commandId, 0);
        LittleEndian.u8(buffer, at + TYPE, type);
    }

    public static int type(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + TYPE);
    }
}
