// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import java.nio.ByteBuffer;

/**
 * Identify (NVMe Base 2.0, section 5.17): CDW10 bits 7:0 CNS, bits 31:16 CNTID; CDW11 bits 15:0
 * CNSSI, bits 31:24 CSI. Returns 4,096 bytes.
 */
public final class IdentifyCommand {
    /** CNS: the namespace. */
    public static final int NAMESPACE = 0x00;

    /** CNS: the controller. */
    public static final int CONTROLLER = 0x01;

    /** CNS: the ids of active namespaces above the given one. */
    public static final int ACTIVE_NAMESPACES = 0x02;

    /** CNS: descriptors of a namespace's identity. */
    public static final int NAMESPACE_DESCRIPTORS = 0x03;

    /** CNS: the namespace, as the I/O command set of CSI sees it. */
    public static final int COMMAND_SET_NAMESPACE = 0x05;

    /** CNS: the controller, as the I/O command set of CSI sees it. */
    public static final int COMMAND_SET_CONTROLLER = 0x06;

    /** CNS: active namespaces of the I/O command set of CSI. */
    public static final int COMMAND_SET_ACTIVE_NAMESPACES = 0x07;

    /** CNS: the namespace, as all I/O command sets see it. */
    public static final int COMMON_NAMESPACE = 0x08;

    /** CNS: the I/O command sets that are supported together. */
    public static final int COMMAND_SETS = 0x1C;

    /** CSI: the NVM Command Set. */
    public static final int CSI_NVM = 0;

    /** Length of what it returns. */
    public static final int DATA_SIZE = 4096;

    private IdentifyCommand() {}

    public static void encode(
            ByteBuffer buffer, int at, int commandId, int namespaceId, int structure) {
        SubmissionEntry.encode(buffer, at, AdminOpcode.IDENTIFY, commandId, namespaceId);
        SubmissionEntry.cdw10(buffer, at, structure & 0xFF);
    }

    /** CNS. */
    public static int structure(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) & 0xFF;
    }

    /** CNTID. */
    public static int controllerId(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) >>> 16;
    }

    /** CSI. */
    public static int commandSet(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw11(buffer, at) >>> 24;
    }
}
