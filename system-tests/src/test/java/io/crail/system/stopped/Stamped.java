// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import java.nio.ByteBuffer;

/**
 * Bytes that tell who wrote them and where: each eight of them are a word of the writer's stamp and
 * the number of the word, big-endian. What lies in another's place, or at another one, shows.
 */
final class Stamped {
    private static final int INDEX_BITS = 20;

    private Stamped() {}

    /**
     * @param round 16 bits
     * @param role who, 4 bits
     * @param number which of them, 24 bits
     */
    static long stamp(int round, int role, int number) {
        return (long) round << 28 | (long) role << 24 | number;
    }

    private static long word(long stamp, long position) {
        long index = position / Long.BYTES;
        if (index >>> INDEX_BITS != 0) {
            throw new IllegalArgumentException("position " + position);
        }
        return stamp << INDEX_BITS | index;
    }

    private static byte byteAt(long stamp, long position) {
        int shift = 8 * (Long.BYTES - 1 - (int) (position % Long.BYTES));
        return (byte) (word(stamp, position) >>> shift);
    }

    /** Fills a buffer from its position to its limit as the bytes from {@code from} on. */
    static void fill(ByteBuffer target, long stamp, long from) {
        long position = from;
        while (target.hasRemaining()) {
            if (position % Long.BYTES == 0 && target.remaining() >= Long.BYTES) {
                target.putLong(word(stamp, position));
                position += Long.BYTES;
            } else {
                target.put(byteAt(stamp, position));
                position++;
            }
        }
    }

    /** The first bytes. */
    static ByteBuffer bytes(long stamp, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        fill(buffer, stamp, 0);
        return buffer.flip();
    }

    /** Fails unless all remaining bytes are those from {@code from} on; takes them. */
    static void check(String what, ByteBuffer bytes, long stamp, long from) {
        long position = from;
        while (bytes.hasRemaining()) {
            if (position % Long.BYTES == 0 && bytes.remaining() >= Long.BYTES) {
                long found = bytes.getLong();
                require(what, stamp, position, word(stamp, position), found);
                position += Long.BYTES;
            } else {
                byte found = bytes.get();
                require(what, stamp, position, byteAt(stamp, position), found);
                position++;
            }
        }
    }

    private static void require(String what, long stamp, long position, long expected, long found) {
        if (expected != found) {
            throw new AssertionError(
                    String.format(
                            "%s: at %d there is %x instead of %x of stamp %x",
                            what, position, found, expected, stamp));
        }
    }
}
