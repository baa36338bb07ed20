// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.checksum;

import io.crail.protocol.block.BlockGeometry;

/**
 * The CRC32C of bytes of which only the CRC32Cs of parts are known, one behind the other.
 *
 * <p>A CRC is the remainder of a polynomial over GF(2), divided by a fixed one, P. To put {@code n}
 * bytes behind others multiplies the polynomial of these by x^(8n); so the CRC of both is that of
 * the first times x^(8n), modulo P, plus that of the second. (What a CRC begins with and is XORed
 * with in the end cancels out, because both are the same in the whole and in the second part.) The
 * power is made of squares of x, which are known beforehand; that for a chunk, which is what mostly
 * follows, is a constant, and to multiply by a constant is linear: four lookups, one for each byte.
 * After Mark Adler's {@code crc32_combine} of zlib, which does this for another P.
 *
 * <p>A CRC is kept in 32 bits with the coefficient of x^0 in the highest bit, as CRC32C is
 * reflected. Not thread-safe.
 */
public final class JoinedChecksum {
    /** P without x^32. */
    private static final int POLYNOMIAL = 0x82F63B78;

    private static final int ONE = 1 << 31;
    private static final int BITS_PER_BYTE_SHIFT = 3;

    /** x^(2^i) modulo P. */
    private static final int[] SQUARES = squares();

    /** Products of x^(8 * chunk size) and a byte at each of its four places. */
    private static final int[][] BEHIND_A_CHUNK = products(powerOfBytes(BlockGeometry.CHUNK_SIZE));

    private int value;
    private long length;

    /** Puts a part behind the others. */
    public void append(int crc, long bytes) {
        value = (bytes == BlockGeometry.CHUNK_SIZE ? beforeAChunk() : before(bytes)) ^ crc;
        length += bytes;
    }

    private int before(long bytes) {
        return multiply(powerOfBytes(bytes), value);
    }

    private int beforeAChunk() {
        return BEHIND_A_CHUNK[0][value & 0xFF]
                ^ BEHIND_A_CHUNK[1][value >>> 8 & 0xFF]
                ^ BEHIND_A_CHUNK[2][value >>> 16 & 0xFF]
                ^ BEHIND_A_CHUNK[3][value >>> 24];
    }

    /** CRC32C of all parts; that of no bytes is 0. */
    public int value() {
        return value;
    }

    /** Bytes of all parts. */
    public long length() {
        return length;
    }

    private static int powerOfBytes(long bytes) {
        int power = ONE;
        long left = bytes;
        for (int i = BITS_PER_BYTE_SHIFT; left != 0; i++, left >>>= 1) {
            if ((left & 1) != 0) {
                power = multiply(SQUARES[i], power);
            }
        }
        return power;
    }

    /** The product of two polynomials modulo P. */
    private static int multiply(int left, int right) {
        int product = 0;
        int shifted = right;
        for (int rest = left; rest != 0; rest <<= 1) {
            if (rest < 0) {
                product ^= shifted;
            }
            shifted = (shifted >>> 1) ^ ((shifted & 1) * POLYNOMIAL);
        }
        return product;
    }

    private static int[] squares() {
        int[] squares = new int[Long.SIZE + BITS_PER_BYTE_SHIFT];
        squares[0] = ONE >>> 1;
        for (int i = 1; i < squares.length; i++) {
            squares[i] = multiply(squares[i - 1], squares[i - 1]);
        }
        return squares;
    }

    private static int[][] products(int factor) {
        int[][] products = new int[Integer.BYTES][1 << Byte.SIZE];
        for (int place = 0; place < products.length; place++) {
            for (int i = 0; i < products[place].length; i++) {
                products[place][i] = multiply(factor, i << (place * Byte.SIZE));
            }
        }
        return products;
    }
}
