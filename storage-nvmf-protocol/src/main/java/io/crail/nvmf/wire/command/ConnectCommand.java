// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Connect: makes a queue of a connection, the first command on it (NVMe Base 2.0, section 6.3). Its
 * data is {@link ConnectData}, in the capsule.
 *
 * <pre>
 * 40  u16  RECFMT, 0
 * 42  u16  QID: 0 for the admin queue
 * 44  u16  SQSIZE: entries of the queue, from zero
 * 46  u8   CATTR: bits 1:0 priority class, bit 2 no flow control of the submission queue
 * 48  u32  KATO: keep-alive timeout in ms, admin queue only; 0 for none
 *
 * result, success:  bits 15:0 CNTLID; bits 31:16 AUTHREQ
 * result, invalid parameters:  bits 15:0 IPO, bit 16: IPO counts in the data, else in the command
 * </pre>
 */
public final class ConnectCommand {
    public static final int RECORD_FORMAT = 40;
    public static final int QUEUE_ID = 42;
    public static final int QUEUE_SIZE = 44;
    public static final int ATTRIBUTES = 46;
    public static final int KEEP_ALIVE_TIMEOUT = 48;

    public static final int ATTRIBUTE_NO_FLOW_CONTROL = 0x04;

    private static final long IN_DATA = 1L << 16;

    private ConnectCommand() {}

    /**
     * Writes the command, without the descriptor of its data.
     *
     * @param queueSize number of entries, as SQSIZE one less is written
     * @param attributes CATTR
     * @param keepAliveMillis KATO
     */
    public static void encode(
            ByteBuffer buffer,
            int at,
            int commandId,
            int queueId,
            int queueSize,
            int attributes,
            int keepAliveMillis) {
        FabricsCommand.encode(buffer, at, FabricsCommand.CONNECT, commandId);
        LittleEndian.u16(buffer, at + QUEUE_ID, queueId);
        LittleEndian.u16(buffer, at + QUEUE_SIZE, queueSize - 1);
        LittleEndian.u8(buffer, at + ATTRIBUTES, attributes);
        LittleEndian.i32(buffer, at + KEEP_ALIVE_TIMEOUT, keepAliveMillis);
    }

    public static int recordFormat(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + RECORD_FORMAT);
    }

    public static int queueId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + QUEUE_ID);
    }

    /** Number of entries, one more than SQSIZE. */
    public static int queueSize(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + QUEUE_SIZE) + 1;
    }

    public static int attributes(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + ATTRIBUTES);
    }

    /** KATO, unsigned. */
    public static long keepAliveMillis(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + KEEP_ALIVE_TIMEOUT);
    }

    /** The result of a Connect that succeeded. */
    public static long success(int controllerId) {
        return controllerId & 0xFFFF;
    }

    /** CNTLID of a result of success. */
    public static int controllerId(long result) {
        return (int) result & 0xFFFF;
    }

    /** AUTHREQ of a result of success: not 0 if the host must authenticate. */
    public static int authenticationRequired(long result) {
        return (int) (result >>> 16) & 0xFFFF;
    }

    /**
     * The result that says which parameter was invalid.
     *
     * @param offset of the field in the command, or in the data
     */
    public static long invalidParameter(int offset, boolean inData) {
        return (offset & 0xFFFF) | (inData ? IN_DATA : 0);
    }

    /** Offset of the invalid parameter in command or data. */
    public static int invalidOffset(long result) {
        return (int) result & 0xFFFF;
    }

    /** Whether the invalid parameter is in the data. */
    public static boolean isInvalidInData(long result) {
        return (result & IN_DATA) != 0;
    }
}
