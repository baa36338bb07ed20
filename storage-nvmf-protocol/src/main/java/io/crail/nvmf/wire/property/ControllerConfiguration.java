// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.property;

/**
 * CC (NVMe Base 2.0, section 3.1.3.5): 0 EN, 6:4 CSS, 10:7 MPS, 13:11 AMS, 15:14 SHN, 19:16 IOSQES,
 * 23:20 IOCQES, 24 CRIME.
 */
public final class ControllerConfiguration {
    public static final int SHUTDOWN_NONE = 0;
    public static final int SHUTDOWN_NORMAL = 1;
    public static final int SHUTDOWN_ABRUPT = 2;

    private static final int ENABLE = 1;
    private static final int SHUTDOWN_SHIFT = 14;
    private static final int SUBMISSION_SIZE_SHIFT = 16;
    private static final int COMPLETION_SIZE_SHIFT = 20;
    private static final int SUBMISSION_SIZE = 6;
    private static final int COMPLETION_SIZE = 4;

    private ControllerConfiguration() {}

    /** Enabled, NVM Command Set, pages of 4 KiB, entries of 64 and 16 bytes. */
    public static int enabled() {
        return ENABLE
                | (SUBMISSION_SIZE << SUBMISSION_SIZE_SHIFT)
                | (COMPLETION_SIZE << COMPLETION_SIZE_SHIFT);
    }

    public static int withEnable(int cc, boolean enable) {
        return enable ? cc | ENABLE : cc & ~ENABLE;
    }

    public static int withShutdown(int cc, int shutdown) {
        return (cc & ~(3 << SHUTDOWN_SHIFT)) | ((shutdown & 3) << SHUTDOWN_SHIFT);
    }

    public static boolean isEnabled(int cc) {
        return (cc & ENABLE) != 0;
    }

    /** SHN. */
    public static int shutdown(int cc) {
        return (cc >>> SHUTDOWN_SHIFT) & 3;
    }

    /** CSS: 0 the NVM Command Set, 6 all that are supported, 7 admin commands only. */
    public static int commandSet(int cc) {
        return (cc >>> 4) & 7;
    }

    /** MPS: memory page size as a power of two from 4 KiB. */
    public static int pageSize(int cc) {
        return (cc >>> 7) & 0xF;
    }

    /** AMS: arbitration. */
    public static int arbitration(int cc) {
        return (cc >>> 11) & 7;
    }

    /** IOSQES: size of submission entries as a power of two; 6. */
    public static int submissionEntrySize(int cc) {
        return (cc >>> SUBMISSION_SIZE_SHIFT) & 0xF;
    }

    /** IOCQES: size of completion entries as a power of two; 4. */
    public static int completionEntrySize(int cc) {
        return (cc >>> COMPLETION_SIZE_SHIFT) & 0xF;
    }
}
