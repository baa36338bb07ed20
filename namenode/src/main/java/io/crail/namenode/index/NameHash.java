// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The 32-bit hash of a name: SipHash-1-3 (Aumasson, Bernstein: "SipHash: a fast short-input PRF",
 * 2012, with one and three rounds) under a random key of this process, cut to 32 bits. Clients
 * choose names, so a hash they could predict would let them make every lookup of a table slow.
 *
 * <p>Immutable and thread-safe; no allocation per hash. Equal bytes have equal hashes wherever they
 * lie. Hashes are never stored: the next process has another key.
 */
public final class NameHash {
    private static final VarHandle ARRAY_WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BUFFER_WORD =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long k0;
    private final long k1;

    public NameHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    public static NameHash of(RandomGenerator random) {
        return new NameHash(random.nextLong(), random.nextLong());
    }

    public int hash(byte[] name) {
        return hash(k0, k1, name);
    }

    /** Hash of bytes of a heap or direct buffer; position, limit and order play no role. */
    public int hash(ByteBuffer buffer, int offset, int length) {
        return hash(k0, k1, buffer, offset, length);
    }

    public static int hash(long k0, long k1, byte[] name) {
        return sip(k0, k1, name, null, 0, name.length);
    }

    public static int hash(long k0, long k1, ByteBuffer buffer, int offset, int length) {
        return sip(k0, k1, null, buffer, offset, length);
    }

    /** SipHash-1-3 of one of the two sources, the state in local variables. */
    private static int sip(
            long k0,
            long k1,
            byte @Nullable [] array,
            @Nullable ByteBuffer buffer,
            int offset,
            int length) {
        long v0 = k0 ^ 0x736F6D6570736575L;
        long v1 = k1 ^ 0x646F72616E646F6DL;
        long v2 = k0 ^ 0x6C7967656E657261L;
        long v3 = k1 ^ 0x7465646279746573L;
        int words = length >>> 3;
        // One round per word, then the last bytes with the length, then 0 and three rounds.
        for (int i = 0; i < words + 4; i++) {
            long m = 0;
            if (i < words) {
                m = word(array, buffer, offset + 8 * i);
            } else if (i == words) {
                m = last(array, buffer, offset + 8 * words, length);
            }
            v3 ^= m;
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= m;
            if (i == words) {
                v2 ^= 0xFF;
            }
        }
        long hash = v0 ^ v1 ^ v2 ^ v3;
        return (int) (hash ^ (hash >>> 32));
    }

    private static long word(byte @Nullable [] array, @Nullable ByteBuffer buffer, int at) {
        if (array != null) {
            return (long) ARRAY_WORD.get(array, at);
        }
        return (long) BUFFER_WORD.get(Objects.requireNonNull(buffer), at);
    }

    private static long last(
            byte @Nullable [] array, @Nullable ByteBuffer buffer, int at, int length) {
        long last = (long) length << 56;
        for (int i = (length & 7) - 1; i >= 0; i--) {
            last |= (octet(array, buffer, at + i) & 0xFFL) << (8 * i);
        }
        return last;
    }

    private static byte octet(byte @Nullable [] array, @Nullable ByteBuffer buffer, int at) {
        if (array != null) {
            return array[at];
        }
        return Objects.requireNonNull(buffer).get(at);
    }
}
