// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

/**
 * Learns whether commands come one at a time. Then the event loop carries them out itself, which
 * saves two changes of thread; with company that would keep the others waiting. It takes some
 * commands that were alone to believe it, and one that was not to stop. For one thread.
 */
final class Alone {
    private static final int EVIDENCE = 16;

    private int evidence;

    /** A turn brought so many commands while so many others were away. */
    boolean decide(int brought, int away) {
        if (brought != 1 || away != 0) {
            evidence = 0;
            return false;
        }
        if (evidence < EVIDENCE) {
            evidence++;
            return false;
        }
        return true;
    }

    /** Something else had come when the command was through. */
    void hadCompany() {
        evidence = 0;
    }
}
