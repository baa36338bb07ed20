// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.nio.ByteBuffer;

/** Bytes that say whose they are and where they belong: none fits another place. */
final class Content {
    private Content() {}

    static byte at(long owner, long offset) {
        long mixed = (owner * 0x9E37_79B9_7F4A_7C15L) ^ (offset * 0xC2B2_AE3D_27D4_EB4FL);
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
        return (byte) (mixed >>> 56);
    }

    /** A direct buffer with the owner's bytes of that range. */
    static ByteBuffer of(long owner, long offset, int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, at(owner, offset + i));
        }
        return bytes;
    }

    /** As {@link #of}, but the first eight bytes are the owner. */
    static ByteBuffer labelled(long owner, long offset, int length) {
        ByteBuffer bytes = of(owner, offset, length);
        for (int i = 0; i < length && offset + i < Long.BYTES; i++) {
            bytes.put(i, (byte) (owner >>> (8 * (offset + i))));
        }
        return bytes;
    }

    /** The owner that the first bytes name, or -1 if these are not all its bytes. */
    static long owner(ByteBuffer bytes) {
        if (bytes.remaining() < Long.BYTES) {
            return -1;
        }
        int at = bytes.position();
        long owner = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            owner = (owner << 8) | (bytes.get(at + i) & 0xFF);
        }
        return bytes.equals(labelled(owner, 0, bytes.remaining())) ? owner : -1;
    }
}
