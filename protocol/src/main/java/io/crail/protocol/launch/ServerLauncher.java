// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.launch;

import io.crail.error.CrailException;
import io.crail.protocol.config.Configuration;

/** Starts servers of one role. Has a public constructor without arguments; thread-safe. */
public interface ServerLauncher {
    /** {@code namenode} or {@code storage}. */
    String role();

    /**
     * Starts a server; returns when it serves.
     *
     * @throws CrailException if it cannot; nothing is left running then
     */
    RunningServer start(Configuration configuration) throws CrailException;
}
