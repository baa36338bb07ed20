// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Disconnect: deletes the I/O queue that it is sent on (NVMe Base 2.0, section 6.4). Bytes 41:40
 * are RECFMT, 0.
 */
public final class DisconnectCommand {
    public static final int RECORD_FORMAT = 40;

    private DisconnectCommand() {}

    public static void encode(ByteBuffer buffer, int at, int commandId) {
        FabricsCommand.encode(buffer, at, FabricsCommand.DISCONNECT, commandId);
    }

    public static int recordFormat(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + RECORD_FORMAT);
    }
}
