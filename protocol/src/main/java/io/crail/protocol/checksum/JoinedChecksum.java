// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.checksum;

import io.crail.protocol.block.BlockGeometry;

/**
 * The CRC32C of bytes of which only the CRC32Cs of parts are known, one behind the other: see
 * {@link CrcCombine}. Parts of one chunk, which is what most are, cost four lookups. Not
 * thread-safe.
 */
public final class JoinedChecksum {
    private static final CrcCombine CHUNKS = CrcCombine.ofParts(BlockGeometry.CHUNK_SIZE);

    private int value;
    private long length;

    /** Puts a part behind the others. */
    public void append(int crc, long bytes) {
        value =
                bytes == BlockGeometry.CHUNK_SIZE
                        ? CHUNKS.combine(value, crc)
                        : CrcCombine.combine(value, crc, bytes);
        length += bytes;
    }

    /** CRC32C of all parts; that of no bytes is 0. */
    public int value() {
        return value;
    }

    /** Bytes of all parts. */
    public long length() {
        return length;
    }
}
