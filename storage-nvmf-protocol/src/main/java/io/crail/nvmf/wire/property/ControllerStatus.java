// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.property;

/** CSTS (NVMe Base 2.0, section 3.1.3.6): 0 RDY, 1 CFS, 3:2 SHST, 4 NSSRO, 5 PP. */
public final class ControllerStatus {
    public static final int READY = 1;
    public static final int FATAL = 1 << 1;
    public static final int SHUTDOWN_NORMAL = 0;
    public static final int SHUTDOWN_OCCURRING = 1;
    public static final int SHUTDOWN_COMPLETE = 2;

    private static final int SHUTDOWN_SHIFT = 2;

    private ControllerStatus() {}

    /**
     * The value of the property.
     *
     * @param shutdown SHST
     */
    public static int of(boolean ready, boolean fatal, int shutdown) {
        return (ready ? READY : 0) | (fatal ? FATAL : 0) | ((shutdown & 3) << SHUTDOWN_SHIFT);
    }

    public static boolean isReady(int csts) {
        return (csts & READY) != 0;
    }

    /** CFS: only a reset helps. */
    public static boolean isFatal(int csts) {
        return (csts & FATAL) != 0;
    }

    /** SHST. */
    public static int shutdown(int csts) {
        return (csts >>> SHUTDOWN_SHIFT) & 3;
    }
}
