// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.identify;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Namespace list: up to 1,024 ids in increasing order, the rest 0 (NVMe Base 2.0, section 4.4.2).
 * Returned by Identify, and, as the log page Changed Namespace List, by Get Log Page.
 */
public final class NamespaceList {
    public static final int SIZE = 4096;
    public static final int MAX_IDS = 1024;

    private NamespaceList() {}

    /** The id at an index; 0 behind the last one. */
    public static int id(ByteBuffer buffer, int at, int index) {
        return LittleEndian.i32(buffer, at + index * Integer.BYTES);
    }

    public static void id(ByteBuffer buffer, int at, int index, int value) {
        LittleEndian.i32(buffer, at + index * Integer.BYTES, value);
    }

    /** Number of ids before the first 0. */
    public static int count(ByteBuffer buffer, int at) {
        int count = 0;
        while (count < MAX_IDS && id(buffer, at, count) != 0) {
            count++;
        }
        return count;
    }
}
