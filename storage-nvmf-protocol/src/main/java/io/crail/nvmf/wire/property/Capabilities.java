// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.property;

/**
 * CAP (NVMe Base 2.0, section 3.1.3.1): 15:0 MQES, 16 CQR, 31:24 TO, 37 the NVM Command Set, 43
 * other command sets, 51:48 MPSMIN, 55:52 MPSMAX, 60:59 CRMS.
 */
public final class Capabilities {
    /** Unit of TO. */
    public static final int TIMEOUT_UNIT_MILLIS = 500;

    private static final long CONTIGUOUS_QUEUES = 1L << 16;
    private static final long NVM_COMMAND_SET = 1L << 37;
    private static final int TIMEOUT_SHIFT = 24;

    private Capabilities() {}

    /**
     * The capabilities of a controller over a fabric with the NVM Command Set and pages of 4 KiB.
     *
     * @param maxQueueEntries 2 .. 65,536; as MQES one less is written
     * @param timeoutUnits TO: 0..255 units of 500 ms
     */
    public static long of(int maxQueueEntries, int timeoutUnits) {
        return ((maxQueueEntries - 1) & 0xFFFFL)
                | CONTIGUOUS_QUEUES
                | ((timeoutUnits & 0xFFL) << TIMEOUT_SHIFT)
                | NVM_COMMAND_SET;
    }

    /** Entries of the largest queue, one more than MQES. */
    public static int maxQueueEntries(long cap) {
        return (int) (cap & 0xFFFF) + 1;
    }

    /** Longest time until CSTS.RDY follows CC.EN. */
    public static int timeoutMillis(long cap) {
        return (int) ((cap >>> TIMEOUT_SHIFT) & 0xFF) * TIMEOUT_UNIT_MILLIS;
    }

    public static boolean hasNvmCommandSet(long cap) {
        return (cap & NVM_COMMAND_SET) != 0;
    }

    /** Smallest memory page in bytes, the unit of MDTS. */
    public static int minPageSize(long cap) {
        return 1 << (12 + (int) ((cap >>> 48) & 0xF));
    }
}
