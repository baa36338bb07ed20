// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** What stands before each row: its length in bytes, 32 bits, big-endian. */
final class RowLength {
    static final int BYTES = Integer.BYTES;

    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private RowLength() {}

    static void put(byte[] target, int length) {
        WORD.set(target, 0, length);
    }

    static int get(byte[] source, int offset) {
        return (int) WORD.get(source, offset);
    }
}
