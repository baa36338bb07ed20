// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The second unit of a namespace at a target that knows no blocks: which life of the storage server
 * owns it, and how far revocations have come. Little-endian:
 *
 * <pre>
 *  0 u64 magic   8 uuid life   24 u64 epoch   32 u64 beat   40 u32 released   4092 u32 CRC32C
 * </pre>
 *
 * @param life of the server that wrote it, made anew at each of its starts
 * @param epoch raised after counters were raised and made lasting: who has read it, and reads a
 *     counter then, sees all blocks as revoked that were revoked before
 * @param beat rises while the server lives
 * @param released whether that life has ended in order, with nothing of it under way
 */
public record OwnerRecord(UUID life, long epoch, long beat, boolean released) {
    /** Where it is. */
    public static final long OFFSET = FlashLayout.UNIT;

    /** "CRAILOWN" as bytes. */
    private static final long MAGIC = 0x4E574F4C49415243L;

    private static final int CRC = FlashLayout.UNIT - 4;

    /** Writes it to a unit at the buffer's beginning. */
    public void encode(ByteBuffer unit) {
        ByteBuffer to = unit.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < FlashLayout.UNIT; at += 8) {
            to.putLong(at, 0);
        }
        to.putLong(0, MAGIC)
                .putLong(8, life.getMostSignificantBits())
                .putLong(16, life.getLeastSignificantBits())
                .putLong(24, epoch)
                .putLong(32, beat)
                .putInt(40, released ? 1 : 0);
        to.putInt(CRC, crc(to));
    }

    /** Reads one from a unit at the buffer's beginning; empty if none is there. */
    public static Optional<OwnerRecord> decode(ByteBuffer unit) {
        ByteBuffer from = unit.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (from.getLong(0) != MAGIC || from.getInt(CRC) != crc(from)) {
            return Optional.empty();
        }
        return Optional.of(
                new OwnerRecord(
                        new UUID(from.getLong(8), from.getLong(16)),
                        from.getLong(24),
                        from.getLong(32),
                        from.getInt(40) != 0));
    }

    private static int crc(ByteBuffer unit) {
        CRC32C crc = new CRC32C();
        crc.update(unit.slice(0, CRC));
        return (int) crc.getValue();
    }
}
