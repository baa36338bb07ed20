// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Bytes of several buffers, one behind the other. Belongs to one thread. */
final class BufferBytes extends InputStream {
    private final List<ByteBuffer> buffers;
    private int current;

    BufferBytes(List<ByteBuffer> buffers) {
        this.buffers = buffers;
    }

    private boolean atEnd() {
        while (current < buffers.size() && !buffers.get(current).hasRemaining()) {
            current++;
        }
        return current == buffers.size();
    }

    @Override
    public int read() {
        return atEnd() ? -1 : buffers.get(current).get() & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (atEnd()) {
            return -1;
        }
        ByteBuffer bytes = buffers.get(current);
        int some = Math.min(length, bytes.remaining());
        bytes.get(target, offset, some);
        return some;
    }

    @Override
    public int available() {
        return atEnd() ? 0 : buffers.get(current).remaining();
    }
}
