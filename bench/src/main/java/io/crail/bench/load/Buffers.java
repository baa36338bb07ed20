// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import java.nio.ByteBuffer;

/** Direct buffers whose pages have been touched. */
final class Buffers {
    private Buffers() {}

    /** Filled buffers: position and limit are the capacity. */
    static ByteBuffer[] full(int count, int length) {
        ByteBuffer[] buffers = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = ByteBuffer.allocateDirect(length);
            while (buffers[i].hasRemaining()) {
                buffers[i].put((byte) (buffers[i].position() + i));
            }
        }
        return buffers;
    }
}
