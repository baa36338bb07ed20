// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Compares names as unsigned bytes, a prefix before what it is a prefix of: a name in memory with
 * another one, or with one that still lies in a buffer. No allocation.
 */
final class NameOrder {
    private static final VarHandle ARRAY_WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle BUFFER_WORD =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private NameOrder() {}

    static int compare(byte[] a, byte[] b) {
        return Arrays.compareUnsigned(a, b);
    }

    static int compare(byte[] a, ByteBuffer b, int offset, int length) {
        int common = Math.min(a.length, length);
        int i = 0;
        for (; i + 8 <= common; i += 8) {
            long wordA = (long) ARRAY_WORD.get(a, i);
            long wordB = (long) BUFFER_WORD.get(b, offset + i);
            if (wordA != wordB) {
                return Long.compareUnsigned(wordA, wordB);
            }
        }
        for (; i < common; i++) {
            int order = Byte.compareUnsigned(a[i], b.get(offset + i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.length, length);
    }

    static boolean equal(byte[] a, ByteBuffer b, int offset, int length) {
        return a.length == length && compare(a, b, offset, length) == 0;
    }
}
