// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.checksum;

/**
 * The CRC32C of bytes from those of their parts: {@code crc(AB)} from {@code crc(A)}, {@code
 * crc(B)} and the length of {@code B}.
 *
 * <p>A CRC is linear: appending {@code n} bytes to {@code A} multiplies its remainder by {@code
 * x^(8n)} modulo the polynomial, and the bytes of {@code B} are added by XOR. The inversions before
 * and behind cancel each other out (zlib's {@code crc32_combine}, Adler). For one length the
 * multiplication is a linear map of 32 bits, which four tables of 256 entries hold: a part costs
 * four loads, however long it is. An instance has these tables; {@link #combine(int, int, long)}
 * needs none and takes any length in a few hundred steps.
 *
 * <p>Stateless and thread-safe.
 */
public final class CrcCombine {
    /** The Castagnoli polynomial without its highest term, the lowest power in the highest bit. */
    private static final int POLYNOMIAL = 0x82F63B78;

    /** The polynomial 1, in the same order of bits. */
    private static final int ONE = 1 << 31;

    /** {@code x^(2^i)}: squares of each other. The last are needed for lengths beyond 2^60. */
    private static final int[] POWERS = powers();

    private final int[] lowest = new int[256];
    private final int[] low = new int[256];
    private final int[] high = new int[256];
    private final int[] highest = new int[256];

    private CrcCombine(int factor) {
        for (int i = 0; i < 256; i++) {
            lowest[i] = multiply(factor, i);
            low[i] = multiply(factor, i << 8);
            high[i] = multiply(factor, i << 16);
            highest[i] = multiply(factor, i << 24);
        }
    }

    /** Tables to append parts of one length; to be kept. */
    public static CrcCombine ofParts(long length) {
        return new CrcCombine(factor(length));
    }

    /** The CRC of {@code A} and {@code B}, where {@code B} has the length of this instance. */
    public int combine(int crcOfA, int crcOfB) {
        return lowest[crcOfA & 0xFF]
                ^ low[crcOfA >>> 8 & 0xFF]
                ^ high[crcOfA >>> 16 & 0xFF]
                ^ highest[crcOfA >>> 24]
                ^ crcOfB;
    }

    /** The CRC of {@code A} and {@code B}, where {@code B} has any length from 0 on. */
    public static int combine(int crcOfA, int crcOfB, long lengthOfB) {
        return multiply(factor(lengthOfB), crcOfA) ^ crcOfB;
    }

    /** {@code x^(8 length)}: by its binary digits. */
    private static int factor(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("negative length " + length);
        }
        int product = ONE;
        int power = 3;
        for (long rest = length; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                product = multiply(POWERS[power], product);
            }
            power++;
        }
        return product;
    }

    private static int[] powers() {
        int[] powers = new int[Long.SIZE + 3];
        powers[0] = ONE >>> 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = multiply(powers[i - 1], powers[i - 1]);
        }
        return powers;
    }

    /** The product of two polynomials modulo that of the CRC. */
    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int term = ONE; term != 0; term >>>= 1) {
            product ^= (a & term) == 0 ? 0 : shifted;
            shifted = (shifted >>> 1) ^ ((shifted & 1) == 0 ? 0 : POLYNOMIAL);
        }
        return product;
    }
}
