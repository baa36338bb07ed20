// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.property;

/** VS (NVMe Base 2.0, section 3.1.3.2): 31:16 major, 15:8 minor, 7:0 tertiary version. */
public final class Version {
    /** What these structures follow. */
    public static final int NVME_2_0 = of(2, 0, 0);

    private Version() {}

    public static int of(int major, int minor, int tertiary) {
        return (major << 16) | (minor << 8) | tertiary;
    }

    public static int major(int version) {
        return version >>> 16;
    }

    public static int minor(int version) {
        return (version >>> 8) & 0xFF;
    }

    public static int tertiary(int version) {
        return version & 0xFF;
    }
}
