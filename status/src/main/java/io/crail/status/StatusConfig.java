// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

/**
 * Where a server shows its status. Immutable.
 *
 * @param enabled whether it does
 * @param bindHost host name or address to listen on
 * @param bindPort port, 0 = any free one
 */
public record StatusConfig(boolean enabled, String bindHost, int bindPort) {
    /** Not at all. */
    public static final StatusConfig OFF = new StatusConfig(false, "127.0.0.1", 0);

    /** On loopback, on any free port. */
    public static final StatusConfig LOOPBACK = new StatusConfig(true, "127.0.0.1", 0);

    public StatusConfig {
        if (bindPort < 0 || bindPort > 0xFFFF) {
            throw new IllegalArgumentException("status port " + bindPort + " is outside 0..65535");
        }
    }
}
