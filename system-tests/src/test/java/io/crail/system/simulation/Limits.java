// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.time.Duration;

/** The times of the simulated cluster, short enough for their ends to be seen in each run. */
final class Limits {
    static final Duration SESSION = Duration.ofSeconds(9);
    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration DEAD_SERVER = Duration.ofSeconds(6);
    static final Duration RETENTION = Duration.ofSeconds(5);
    static final Duration DEADLINE = Duration.ofSeconds(8);

    private Limits() {}
}
