// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import java.nio.ByteBuffer;

/**
 * The value of a key.
 *
 * @param bytes the value, a read-only view of memory that belongs to the caller; each call of the
 *     accessor returns the same buffer
 * @param version its version: from one counter, never repeated
 * @param modifiedMillis when it was put, by the namenode's clock
 * @param remainingMillis time left to live, -1 = without an end
 */
public record Value(ByteBuffer bytes, long version, long modifiedMillis, long remainingMillis) {
    /** The value as an array; a copy. */
    public byte[] toByteArray() {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }
}
