// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.log;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Log page Supported Log Pages, 1,024 bytes (NVMe Base 2.0, section 5.16.1.1): u32 for each of 256
 * pages, bit 0 LSUPP.
 */
public final class SupportedLogPages {
    public static final int SIZE = 1024;

    private static final int SUPPORTED = 1;

    private SupportedLogPages() {}

    public static boolean isSupported(ByteBuffer buffer, int at, int page) {
        return (LittleEndian.i32(buffer, at + page * Integer.BYTES) & SUPPORTED) != 0;
    }

    public static void setSupported(ByteBuffer buffer, int at, int page) {
        LittleEndian.i32(buffer, at + page * Integer.BYTES, SUPPORTED);
    }
}
