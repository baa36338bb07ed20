// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The first unit of a namespace: whose it is, and how it is laid out. Little-endian:
 *
 * <pre>
 *  0 u64 magic           8 u32 version         12 u32 zero
 * 16 uuid cluster       32 uuid server         48 u32 incarnation   52 u32 unit, bytes
 * 56 u32 slot, bytes    60 u32 keep-alive, ms  64 u64 data, bytes   72 u64 offset of counters
 * 80 u64 of records     88 u64 of data         4092 u32 CRC32C of all before
 * </pre>
 *
 * @param cluster the cluster that it belongs to
 * @param server identity of the storage server
 * @param incarnation upper half of all generations
 * @param keepAliveMillis what clients ask an external target for; 0: the target guards blocks
 * @param layout where things are
 */
public record Superblock(
        UUID cluster, UUID server, int incarnation, int keepAliveMillis, FlashLayout layout) {
    /** "CRAILNVM" as bytes. */
    public static final long MAGIC = 0x4D564E4C49415243L;

    public static final int VERSION = 1;

    private static final int CRC = FlashLayout.UNIT - 4;

    /** Why bytes are no superblock that this version can use. */
    public static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        /** What is wrong. */
        public enum Reason {
            /** Nothing but zeros: nobody has formatted it. */
            BLANK,
            /** Something else is there. */
            FOREIGN,
            /** It is one, but its checksum or its numbers are wrong. */
            CORRUPT,
            /** It is of another version. */
            VERSION
        }

        private final Reason reason;

        UnusableException(Reason reason, String message) {
            super(message);
            this.reason = reason;
        }

        public Reason reason() {
            return reason;
        }
    }

    /** Of a namespace whose target guards blocks. */
    public Superblock(UUID cluster, UUID server, int incarnation, FlashLayout layout) {
        this(cluster, server, incarnation, 0, layout);
    }

    /** Writes it to a unit at the buffer's beginning. */
    public void encode(ByteBuffer unit) {
        ByteBuffer to = unit.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < FlashLayout.UNIT; at += 8) {
            to.putLong(at, 0);
        }
        to.putLong(0, MAGIC).putInt(8, VERSION);
        putUuid(to, 16, cluster);
        putUuid(to, 32, server);
        to.putInt(48, incarnation).putInt(52, FlashLayout.UNIT).putInt(56, FlashLayout.SLOT);
        to.putInt(60, keepAliveMillis);
        to.putLong(64, layout.dataBytes());
        to.putLong(72, FlashLayout.COUNTERS_OFFSET);
        to.putLong(80, layout.recordsOffset());
        to.putLong(88, layout.dataOffset());
        to.putInt(CRC, crc(to));
    }

    /** Reads one from a unit at the buffer's beginning. */
    public static Superblock decode(ByteBuffer unit) throws UnusableException {
        ByteBuffer from = unit.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (from.getLong(0) != MAGIC) {
            throw isBlank(from)
                    ? new UnusableException(UnusableException.Reason.BLANK, "it is blank")
                    : new UnusableException(
                            UnusableException.Reason.FOREIGN,
                            "it begins with something else than a superblock of crail");
        }
        if (from.getInt(CRC) != crc(from)) {
            throw corrupt("its superblock has a wrong checksum");
        }
        if (from.getInt(8) != VERSION) {
            throw new UnusableException(
                    UnusableException.Reason.VERSION,
                    "its layout is of version " + from.getInt(8) + ", known is " + VERSION);
        }
        return checked(from);
    }

    private static Superblock checked(ByteBuffer from) throws UnusableException {
        FlashLayout layout;
        try {
            layout = FlashLayout.ofData(from.getLong(64));
        } catch (IllegalArgumentException e) {
            throw corrupt("its superblock is impossible: " + e.getMessage());
        }
        int incarnation = from.getInt(48);
        int keepAliveMillis = from.getInt(60);
        if (from.getInt(52) != FlashLayout.UNIT
                || from.getInt(56) != FlashLayout.SLOT
                || from.getLong(72) != FlashLayout.COUNTERS_OFFSET
                || from.getLong(80) != layout.recordsOffset()
                || from.getLong(88) != layout.dataOffset()
                || keepAliveMillis < 0
                || incarnation == 0) {
            throw corrupt("its superblock contradicts itself");
        }
        return new Superblock(uuid(from, 16), uuid(from, 32), incarnation, keepAliveMillis, layout);
    }

    private static UnusableException corrupt(String message) {
        return new UnusableException(UnusableException.Reason.CORRUPT, message);
    }

    private static boolean isBlank(ByteBuffer unit) {
        for (int at = 0; at < FlashLayout.UNIT; at += 8) {
            if (unit.getLong(at) != 0) {
                return false;
            }
        }
        return true;
    }

    private static int crc(ByteBuffer unit) {
        CRC32C crc = new CRC32C();
        crc.update(unit.slice(0, CRC));
        return (int) crc.getValue();
    }

    private static void putUuid(ByteBuffer to, int at, UUID value) {
        to.putLong(at, value.getMostSignificantBits());
        to.putLong(at + 8, value.getLeastSignificantBits());
    }

    private static UUID uuid(ByteBuffer from, int at) {
        return new UUID(from.getLong(at), from.getLong(at + 8));
    }
}
