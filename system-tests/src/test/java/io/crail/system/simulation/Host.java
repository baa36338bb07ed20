// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.io.IOException;

/** A process of the cluster, through its lives. */
interface Host {
    void start() throws IOException;

    /** Kill -9; nothing happens if it is down. */
    void kill() throws IOException;

    boolean isUp();

    /** SIGSTOP, and SIGCONT after a while. */
    void freeze(long nanos);
}
