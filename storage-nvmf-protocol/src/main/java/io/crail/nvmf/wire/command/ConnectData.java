// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.FixedText;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.QualifiedName;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Data of Connect, 1,024 bytes (NVMe Base 2.0, section 6.3).
 *
 * <pre>
 *   0  16   HOSTID, as the bytes of a UUID stand in RFC 4122
 *  16  u16  CNTLID: FFFFh on the admin queue (any), else the controller's
 * 256  256  SUBNQN
 * 512  256  HOSTNQN
 * </pre>
 */
public final class ConnectData {
    public static final int HOST_ID = 0;
    public static final int CONTROLLER_ID = 16;
    public static final int SUBSYSTEM_NAME = 256;
    public static final int HOST_NAME = 512;
    public static final int SIZE = 1024;

    /** CNTLID that asks for any controller (dynamic controller model). */
    public static final int ANY_CONTROLLER = 0xFFFF;

    private ConnectData() {}

    public static void encode(
            ByteBuffer buffer,
            int at,
            UUID hostId,
            int controllerId,
            String subsystemName,
            String hostName) {
        LittleEndian.zero(buffer, at, SIZE);
        LittleEndian.i64(buffer, at + HOST_ID, Long.reverseBytes(hostId.getMostSignificantBits()));
        LittleEndian.i64(
                buffer,
                at + HOST_ID + Long.BYTES,
                Long.reverseBytes(hostId.getLeastSignificantBits()));
        LittleEndian.u16(buffer, at + CONTROLLER_ID, controllerId);
        FixedText.putTerminated(
                buffer, at + SUBSYSTEM_NAME, QualifiedName.FIELD_BYTES, subsystemName);
        FixedText.putTerminated(buffer, at + HOST_NAME, QualifiedName.FIELD_BYTES, hostName);
    }

    public static UUID hostId(ByteBuffer buffer, int at) {
        return new UUID(
                Long.reverseBytes(LittleEndian.i64(buffer, at + HOST_ID)),
                Long.reverseBytes(LittleEndian.i64(buffer, at + HOST_ID + Long.BYTES)));
    }

    public static int controllerId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + CONTROLLER_ID);
    }

    public static String subsystemName(ByteBuffer buffer, int at) {
        return FixedText.getTerminated(buffer, at + SUBSYSTEM_NAME, QualifiedName.FIELD_BYTES);
    }

    public static String hostName(ByteBuffer buffer, int at) {
        return FixedText.getTerminated(buffer, at + HOST_NAME, QualifiedName.FIELD_BYTES);
    }
}
