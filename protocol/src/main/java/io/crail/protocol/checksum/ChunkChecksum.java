// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.checksum;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC32C (Castagnoli, RFC 3720 appendix B.4) of chunks, and the salt under which it is stored.
 *
 * <p>The stored value is {@code crc XOR salt(slot, generation)}, where {@code slot} is the index of
 * the chunk's own slot in its segment. So bytes or checksums of another generation, or of another
 * chunk, fail the check on every transport, even when they are consistent with each other.
 *
 * <p>Stateless and thread-safe.
 */
public final class ChunkChecksum {
    private static final ThreadLocal<CRC32C> CRC = ThreadLocal.withInitial(CRC32C::new);

    private ChunkChecksum() {}

    /** The value to store for a chunk, or the CRC back from a stored value: XOR is its inverse. */
    public static int salted(int crc, int slot, long generation) {
        return crc ^ salt(slot, generation);
    }

    /** 32 well-mixed bits of (slot, generation): the finaliser of MurmurHash3 (Appleby). */
    static int salt(int slot, long generation) {
        long h = generation ^ (slot * 0x9E3779B97F4A7C15L);
        h ^= h >>> 33;
        h *= 0xFF51AFD7ED558CCDL;
        h ^= h >>> 33;
        h *= 0xC4CEB9FE1A85EC53L;
        h ^= h >>> 33;
        return (int) h;
    }

    /**
     * CRC32C of {@code length} bytes at {@code offset}; position and limit of {@code data} are left
     * alone. Fast for direct buffers (no copy).
     */
    public static int crc(ByteBuffer data, int offset, int length) {
        CRC32C crc = CRC.get();
        crc.reset();
        crc.update(data.slice(offset, length));
        return (int) crc.getValue();
    }
}
