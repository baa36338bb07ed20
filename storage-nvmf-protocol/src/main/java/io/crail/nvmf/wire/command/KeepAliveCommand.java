// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import java.nio.ByteBuffer;

/** Keep Alive: starts the keep-alive timer anew (NVMe Base 2.0, section 5.18). */
public final class KeepAliveCommand {
    private KeepAliveCommand() {}

    public static void encode(ByteBuffer buffer, int at, int commandId) {
        SubmissionEntry.encode(buffer, at, AdminOpcode.KEEP_ALIVE, commandId, 0);
    }
}
