// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import java.nio.ByteBuffer;

/**
 * A value for {@link CrailTable#multiPut}.
 *
 * @param key 1..1,024 bytes; belongs to the client until the call returns or its future is done
 * @param value its bytes from position to limit, which do not move; belongs to the client as long
 * @param options when it is put
 */
public record PutEntry(byte[] key, ByteBuffer value, PutOptions options) {
    public PutEntry(byte[] key, ByteBuffer value) {
        this(key, value, PutOptions.DEFAULT);
    }

    public PutEntry(byte[] key, byte[] value) {
        this(key, ByteBuffer.wrap(value), PutOptions.DEFAULT);
    }
}
