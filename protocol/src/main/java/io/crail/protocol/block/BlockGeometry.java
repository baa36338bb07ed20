// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

/** Sizes of slots, blocks and slabs, in bytes. */
public final class BlockGeometry {
    /** A slot is the smallest block, and the unit of metadata records and checksum chunks. */
    public static final int SLOT_SHIFT = 12;

    public static final int SLOT_SIZE = 1 << SLOT_SHIFT;
    public static final int MIN_BLOCK = SLOT_SIZE;
    public static final int MAX_BLOCK = 1 << 20;

    /** A slab is cut into blocks of one size. */
    public static final int SLAB_SIZE = MAX_BLOCK;

    public static final int SLOTS_PER_SLAB = SLAB_SIZE / SLOT_SIZE;

    /** Bytes covered by one CRC32C. */
    public static final int CHUNK_SIZE = SLOT_SIZE;

    private BlockGeometry() {}

    /** Whether {@code length} is a power of two from 4 KiB to 1 MiB. */
    public static boolean isBlockSize(long length) {
        return length >= MIN_BLOCK && length <= MAX_BLOCK && Long.bitCount(length) == 1;
    }
}
