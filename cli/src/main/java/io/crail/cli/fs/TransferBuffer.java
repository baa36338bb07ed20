// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import java.nio.ByteBuffer;

/**
 * One direct buffer of a block's size for each thread that copies: the kernel and the client use it
 * without a further copy, and it is made once for many small files.
 */
final class TransferBuffer {
    private static final ThreadLocal<ByteBuffer> BUFFER =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(Content.BUFFER));

    private TransferBuffer() {}

    /** The calling thread's buffer, with that limit. */
    static ByteBuffer take(int limit) {
        return BUFFER.get().clear().limit(limit);
    }
}
