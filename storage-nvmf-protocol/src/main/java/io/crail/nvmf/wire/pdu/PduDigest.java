// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes header and data digests: CRC32C over the bytes, without the digest itself and without
 * padding (TCP transport 1.0, section 3.3). One for each direction of a connection; not
 * thread-safe.
 */
public final class PduDigest {
    /** Length of a digest. */
    public static final int SIZE = 4;

    private final CRC32C crc = new CRC32C();

    /** The digest of a range; position and limit of the buffer are as before afterwards. */
    public int of(ByteBuffer buffer, int at, int length) {
        crc.reset();
        update(buffer, at, length);
        return value();
    }

    /** Begins a digest of what comes in several pieces. */
    public void begin() {
        crc.reset();
    }

    /** Adds a piece; position and limit of the buffer are as before afterwards. */
    public void update(ByteBuffer buffer, int at, int length) {
        int position = buffer.position();
        int limit = buffer.limit();
        buffer.limit(at + length).position(at);
        try {
            crc.update(buffer);
        } finally {
            buffer.limit(limit).position(position);
        }
    }

    /** Adds what lies between position and limit; afterwards the position is at the limit. */
    public void update(ByteBuffer buffer) {
        crc.update(buffer);
    }

    public int value() {
        return (int) crc.getValue();
    }
}
