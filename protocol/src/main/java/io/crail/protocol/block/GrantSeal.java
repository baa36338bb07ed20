// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

/**
 * The seal of grants: a 64-bit MAC by SipHash-2-4 (Aumasson, Bernstein: "SipHash: a fast
 * short-input PRF", 2012) under a 128-bit key that the namenode shares with one storage server. A
 * client can neither make nor alter a reference; a seal is good for one session only.
 *
 * <p>SipHash and not HMAC, because an answer carries up to 64 references, each sealed for the
 * asking session: 64 HMACs would cost more than the whole round trip. Forging one seal takes 2^63
 * tries over a network on average, and every failed try closes the connection.
 *
 * <p>Immutable and thread-safe; no allocation per seal.
 */
public final class GrantSeal {
    public static final int KEY_BYTES = 16;

    private static final long TICKET = 0x7469636B65740001L;
    private static final long BLOCK = 0x626C6F636B000001L;
    private static final long AUDIT = 0x6175646974000001L;

    private final long k0;
    private final long k1;

    public GrantSeal(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("key of " + key.length + " bytes, must be 16");
        }
        k0 = littleEndian(key, 0);
        k1 = littleEndian(key, 8);
    }

    /** The access key of a block reference granted to {@code session} of {@code tenant}. */
    public long block(
            long session,
            int tenant,
            int server,
            int segment,
            long offset,
            int length,
            int record,
            long generation,
            int rights) {
        return hash(
                BLOCK,
                session,
                pack(tenant, rights),
                pack(server, segment),
                offset,
                pack(length, record),
                generation);
    }

    public boolean permits(long session, int tenant, BlockReference reference) {
        long expected =
                block(
                        session,
                        tenant,
                        reference.server(),
                        reference.segment(),
                        reference.offset(),
                        reference.length(),
                        reference.record(),
                        reference.generation(),
                        reference.rights());
        // One comparison of two longs takes the same time whatever they hold.
        return expected == reference.key();
    }

    /** What a session shows a storage server when it connects. */
    public long ticket(long session, int tenant, int server) {
        return hash(TICKET, session, pack(tenant, server), 0, 0, 0, 0);
    }

    /**
     * What a session that may check the cluster shows a storage server whose blocks it asks for.
     */
    public long audit(long session, int tenant, int server) {
        return hash(AUDIT, session, pack(tenant, server), 0, 0, 0, 0);
    }

    private static long pack(int high, int low) {
        return ((long) high << 32) | (low & 0xFFFF_FFFFL);
    }

    /** SipHash-2-4 of seven little-endian words (56 bytes). */
    private long hash(long w0, long w1, long w2, long w3, long w4, long w5, long w6) {
        State s = new State(k0, k1);
        s.word(w0);
        s.word(w1);
        s.word(w2);
        s.word(w3);
        s.word(w4);
        s.word(w5);
        s.word(w6);
        return s.finish(56);
    }

    /** SipHash-2-4 of arbitrary bytes; the form that the published test vectors check. */
    long hash(byte[] message) {
        State s = new State(k0, k1);
        int whole = message.length & ~7;
        for (int i = 0; i < whole; i += 8) {
            s.word(littleEndian(message, i));
        }
        long last = 0;
        for (int i = message.length - 1; i >= whole; i--) {
            last = (last << 8) | (message[i] & 0xFF);
        }
        return s.finishWith(last | ((long) message.length << 56));
    }

    private static long littleEndian(byte[] bytes, int at) {
        long value = 0;
        for (int i = 7; i >= 0; i--) {
            value = (value << 8) | (bytes[at + i] & 0xFF);
        }
        return value;
    }

    /** The four words of SipHash; escape analysis keeps it in registers. */
    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long k0, long k1) {
            v0 = k0 ^ 0x736F6D6570736575L;
            v1 = k1 ^ 0x646F72616E646F6DL;
            v2 = k0 ^ 0x6C7967656E657261L;
            v3 = k1 ^ 0x7465646279746573L;
        }

        void word(long m) {
            v3 ^= m;
            round();
            round();
            v0 ^= m;
        }

        long finish(long bytes) {
            return finishWith(bytes << 56);
        }

        long finishWith(long last) {
            word(last);
            v2 ^= 0xFF;
            round();
            round();
            round();
            round();
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
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
        }
    }
}
