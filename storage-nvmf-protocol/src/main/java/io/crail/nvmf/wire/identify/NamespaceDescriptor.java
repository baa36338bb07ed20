// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.identify;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Descriptor in the Namespace Identification Descriptor list (NVMe Base 2.0, section 5.17.2.3): u8
 * NIDT, u8 NIDL, two reserved bytes, then the identifier. A length of 0 ends the list.
 */
public final class NamespaceDescriptor {
    public static final int LIST_SIZE = 4096;
    public static final int TYPE_EUI64 = 1;
    public static final int TYPE_GUID = 2;
    public static final int TYPE_UUID = 3;
    public static final int TYPE_COMMAND_SET = 4;

    private static final int HEADER = 4;
    private static final int GUID_LENGTH = 16;
    private static final int LENGTH = 1;

    private NamespaceDescriptor() {}

    /**
     * Writes a descriptor of a UUID (NIDT 3) or an NGUID (NIDT 2).
     *
     * @return where the next one goes
     */
    public static int encode(ByteBuffer buffer, int at, int type, UUID value) {
        LittleEndian.i32(buffer, at, type | (GUID_LENGTH << 8));
        LittleEndian.i64(buffer, at + HEADER, Long.reverseBytes(value.getMostSignificantBits()));
        LittleEndian.i64(
                buffer,
                at + HEADER + Long.BYTES,
                Long.reverseBytes(value.getLeastSignificantBits()));
        return at + HEADER + GUID_LENGTH;
    }

    /**
     * Writes the descriptor of the I/O command set.
     *
     * @return where the next one goes
     */
    public static int encodeCommandSet(ByteBuffer buffer, int at, int commandSet) {
        LittleEndian.i32(buffer, at, TYPE_COMMAND_SET | (1 << 8));
        LittleEndian.u8(buffer, at + HEADER, commandSet);
        return at + HEADER + 1;
    }

    /** NIDT. */
    public static int type(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at);
    }

    /** NIDL; 0 behind the last descriptor. */
    public static int length(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + LENGTH);
    }

    /** Where the descriptor behind this one begins. */
    public static int next(ByteBuffer buffer, int at) {
        return at + HEADER + length(buffer, at);
    }

    /** The identifier of a descriptor with 16 bytes. */
    public static UUID uuid(ByteBuffer buffer, int at) {
        return new UUID(
                Long.reverseBytes(LittleEndian.i64(buffer, at + HEADER)),
                Long.reverseBytes(LittleEndian.i64(buffer, at + HEADER + Long.BYTES)));
    }

    /** CSI. */
    public static int commandSet(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + HEADER);
    }
}
