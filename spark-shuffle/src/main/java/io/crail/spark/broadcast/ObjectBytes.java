// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import java.io.IOException;
import java.io.InputStream;

/** The stream of objects of a value. Belongs to one thread. */
final class ObjectBytes extends InputStream {
    private final ReadAhead chunks;
    private byte[] bytes = new byte[0];
    private int position;

    ObjectBytes(ReadAhead chunks) {
        this.chunks = chunks;
    }

    private boolean atEnd() throws IOException {
        while (position == bytes.length) {
            byte[] next = chunks.next();
            if (next == null) {
                return true;
            }
            bytes = next;
            position = 0;
        }
        return false;
    }

    @Override
    public int read() throws IOException {
        return atEnd() ? -1 : bytes[position++] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (atEnd()) {
            return -1;
        }
        int some = Math.min(length, bytes.length - position);
        System.arraycopy(bytes, position, target, offset, some);
        position += some;
        return some;
    }

    @Override
    public int available() {
        return bytes.length - position;
    }
}
