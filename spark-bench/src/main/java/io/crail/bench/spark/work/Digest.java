// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Tells results apart. Digests of records are added up, so that neither their order nor their
 * places matter, but each of them does, as often as it is there.
 */
final class Digest {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ODD = 0x9e3779b97f4a7c15L;
    private static final int SHIFT = 32;

    private Digest() {}

    /** Of a record, from those of its parts. */
    static long of(long key, long value) {
        long mixed = (key + ODD) * ODD;
        mixed = (mixed ^ mixed >>> SHIFT ^ value) * ODD;
        return mixed ^ mixed >>> SHIFT;
    }

    /**
     * Of bytes.
     *
     * @param whole whether of all, or only of their number and the first ones
     */
    static long of(byte[] bytes, boolean whole) {
        long digest = bytes.length;
        int longs = whole ? bytes.length / Long.BYTES : Math.min(1, bytes.length / Long.BYTES);
        for (int i = 0; i < longs; i++) {
            digest = of(digest, (long) LONGS.get(bytes, i * Long.BYTES));
        }
        if (whole) {
            for (int i = longs * Long.BYTES; i < bytes.length; i++) {
                digest = of(digest, bytes[i]);
            }
        }
        return digest;
    }
}
