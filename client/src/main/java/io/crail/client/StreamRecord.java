// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import java.nio.ByteBuffer;

/**
 * A record of a STREAM.
 *
 * @param offset its number: records are counted from 0, without gaps
 * @param bytes read-only, ready to be read. Records that were appended together share memory, which
 *     is free when none of them is in use any more
 */
public record StreamRecord(long offset, ByteBuffer bytes) {
    /** A copy of the bytes. */
    public byte[] toArray() {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }
}
