// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.layout;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Collects numbers of 1 to 10 bytes, 7 bits in each, the lowest first. Not thread-safe. */
final class VariableLengthWriter {
    private static final int LONGEST = 10;

    private byte[] bytes = new byte[1024];
    private int size;

    void put(long number) {
        if (bytes.length - size < LONGEST) {
            bytes = Arrays.copyOf(bytes, Math.multiplyExact(bytes.length, 2));
        }
        long left = number;
        while ((left & ~0x7FL) != 0) {
            bytes[size++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[size++] = (byte) left;
    }

    int size() {
        return size;
    }

    void copyTo(ByteBuffer target) {
        target.put(bytes, 0, size);
    }
}
