// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.segment;

/**
 * Offsets in a session file, all little-endian: what a client process on the host of a storage
 * server holds of its mapped segments (docs/adr/0007-shared-memory.md says why it is safe).
 *
 * <pre>
 *   0 u64 magic "CRAILSES"         8 u32 layout version         12 u32 CRC32C of bytes 16..128
 *  16 u8[16] cluster id           32 u8[16] server uuid (zero)  48 u64 session
 *  56 u32 process id, for people  60 u32 number of slots        64 u32 flags (0)
 *  68 u32 zero                    72 u64 offset of the slots    80 u8[48] zero
 * 128 u32 high-water mark: slots from this one on were never used
 * </pre>
 *
 * <p>Then, from {@link #SLOTS_OFFSET}, slots of 64 bytes, a cache line each: u64 block word, u64
 * generation, u64 milliseconds since 1970 (for people), zeros. The block word is 0 when the slot is
 * free, else bit 63, bit 62 if for writing, the segment in bits 32..61, the record in bits 0..31.
 *
 * <p>The file is filled to its size by writes before it is mapped, and never truncated.
 */
public final class SessionLayout {
    /** "CRAILSES" read as a little-endian long. */
    public static final long MAGIC = 0x5345534C49415243L;

    public static final int VERSION = 1;
    public static final int CHECKED_FROM = 16;
    public static final int CHECKED_TO = 128;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int CRC_OFFSET = 12;
    public static final int CLUSTER_OFFSET = 16;
    public static final int SESSION_OFFSET = 48;
    public static final int PROCESS_OFFSET = 56;
    public static final int SLOT_COUNT_OFFSET = 60;
    public static final int FLAGS_OFFSET = 64;
    public static final int SLOTS_OFFSET_OFFSET = 72;
    public static final int HIGH_WATER_OFFSET = 128;

    public static final int SLOTS_OFFSET = 4096;
    public static final int SLOT_SIZE = 64;
    public static final int SLOT_BLOCK = 0;
    public static final int SLOT_GENERATION = 8;
    public static final int SLOT_SINCE = 16;

    /** Slots that clients make. */
    public static final int DEFAULT_SLOTS = 1024;

    /** Slots that a server accepts: a limit of the pins of one session. */
    public static final int MAX_SLOTS = 65_536;

    /** Highest segment number that a block word can hold. */
    public static final int MAX_SEGMENT = (1 << 30) - 1;

    /** Directory of the session files, below the server's directory. */
    public static final String DIRECTORY = "sessions";

    /** Unix socket of the storage server, or a link to it, in the server's directory. */
    public static final String SOCKET = "data.sock";

    private static final long USED = 1L << 63;
    private static final long WRITE = 1L << 62;

    private SessionLayout() {}

    /** Size of a file of {@code slots} slots. */
    public static long fileSize(int slots) {
        return SLOTS_OFFSET + (long) slots * SLOT_SIZE;
    }

    /** Where a slot begins. */
    public static int slotOffset(int slot) {
        return SLOTS_OFFSET + slot * SLOT_SIZE;
    }

    /** The block word of a slot that is in use. */
    public static long blockWord(int segment, int record, boolean write) {
        if (segment < 0 || segment > MAX_SEGMENT) {
            throw new IllegalArgumentException("segment " + segment);
        }
        return USED | (write ? WRITE : 0) | ((long) segment << 32) | (record & 0xFFFF_FFFFL);
    }

    public static boolean isUsed(long blockWord) {
        return (blockWord & USED) != 0;
    }

    public static boolean isForWriting(long blockWord) {
        return (blockWord & WRITE) != 0;
    }

    public static int segment(long blockWord) {
        return (int) (blockWord >>> 32) & MAX_SEGMENT;
    }

    public static int record(long blockWord) {
        return (int) blockWord;
    }

    /**
     * Whether a session file may have this name: {@code session-} and up to 64 hexadecimal digits
     * and dashes, so that a name is never a path.
     */
    public static boolean isFileName(String name) {
        if (!name.startsWith("session-") || name.length() < 9 || name.length() > 72) {
            return false;
        }
        for (int i = 8; i < name.length(); i++) {
            char c = name.charAt(i);
            if ("0123456789abcdef-".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }
}
