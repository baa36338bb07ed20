// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.fake;

import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.FabricsCommand;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import java.nio.ByteBuffer;

/** A command that arrived: its submission entry from 0, and the data of its capsule. */
public record FakeCommand(int queueId, ByteBuffer entry, byte[] inCapsule) {
    public int opcode() {
        return SubmissionEntry.opcode(entry, 0);
    }

    public int id() {
        return SubmissionEntry.commandId(entry, 0);
    }

    /** Bytes of data that its descriptor names. */
    public int length() {
        return (int) SglDescriptor.length(entry, SubmissionEntry.SGL);
    }

    /** Whether it is that I/O command. */
    public boolean isIo(int opcode) {
        return queueId > 0 && opcode() == opcode;
    }

    /** Whether it is that admin command. */
    public boolean isAdmin(int opcode) {
        return queueId == 0 && opcode() == opcode;
    }

    /** Whether it is that fabrics command. */
    public boolean isFabrics(int type) {
        return opcode() == AdminOpcode.FABRICS && FabricsCommand.type(entry, 0) == type;
    }
}
