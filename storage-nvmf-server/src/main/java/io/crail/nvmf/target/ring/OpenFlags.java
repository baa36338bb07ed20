// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.ring;

import java.util.Locale;

/** Flags of open(2), whose numbers differ between processors. */
final class OpenFlags {
    private static final int O_RDONLY = 0;
    private static final int O_CLOEXEC = 02000000;

    private OpenFlags() {}

    /** For reads that bypass the page cache. */
    static int readDirect() {
        return O_RDONLY | O_CLOEXEC | direct(System.getProperty("os.arch", ""));
    }

    /** O_DIRECT (the kernel's asm/fcntl.h; ARM has its own number). */
    static int direct(String processor) {
        return switch (processor.toLowerCase(Locale.ROOT)) {
            case "aarch64", "arm64", "arm" -> 0200000;
            default -> 040000;
        };
    }
}
