// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * A large pseudo-random file that costs nothing to produce: random blocks of 1 MiB taken in turn,
 * each stamped with its number, so that no two blocks are equal. Not thread-safe.
 */
final class GeneratedFile {
    /** Bytes of a block; the last one of a file may be shorter. */
    static final int BLOCK = 1 << 20;

    private static final int POOL = 16;
    private static final long SEED = 0x6372_6169_6cL;

    private final long length;
    private final ByteBuffer pool =
            ByteBuffer.allocateDirect(POOL * BLOCK).order(ByteOrder.LITTLE_ENDIAN);

    GeneratedFile(long length) {
        this(length, SEED);
    }

    /** A file of its own for each seed. */
    GeneratedFile(long length, long seed) {
        this.length = length;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < POOL * BLOCK; i += Long.BYTES) {
            pool.putLong(i, random.nextLong());
        }
    }

    long length() {
        return length;
    }

    /**
     * The bytes from a position that is a multiple of 1 MiB, up to the next one or the end. The
     * buffer is good until the block 16 places further is asked for.
     */
    ByteBuffer block(long position) {
        int index = (int) (position / BLOCK % POOL);
        int size = (int) Math.min(BLOCK, length - position);
        if (size >= Long.BYTES) {
            pool.putLong(index * BLOCK, position);
        }
        return pool.slice(index * BLOCK, size);
    }

    long checksum() {
        CRC32C crc = new CRC32C();
        for (long position = 0; position < length; position += BLOCK) {
            crc.update(block(position));
        }
        return crc.getValue();
    }
}
