// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Servers;

/** How the ways of clients are called, and what their limits do. */
final class Ways {
    private Ways() {}

    /** How users choose the way to the namenode; blocks then go through memory of this host. */
    enum Transport {
        UNIX,
        TCP;

        Servers.Way way() {
            return this == UNIX ? Servers.Way.LOCAL : Servers.Way.TCP;
        }
    }

    /** The way to the namenode. */
    static String namenode(Servers.Way way) {
        return way == Servers.Way.LOCAL ? "unix" : "tcp";
    }

    /** What a limit does, over which sockets. */
    static String over(Servers.Way way, String what) {
        return what + (way == Servers.Way.LOCAL ? " over Unix socket" : "");
    }
}
