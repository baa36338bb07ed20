// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Servers;
import io.crail.client.ClientStatistics;
import io.crail.client.CrailClient;

/**
 * Whether a client goes the way that a row is about: clients fall back to sockets by themselves.
 */
final class Forced {
    static final String NO_SOCKET = "the namenode has no Unix socket on this host";
    static final String NO_MEMORY = "no shared memory with the storage servers";

    private static final String TCP = "tcp";

    private Forced() {}

    /** Whether calls to the namenode go that way. */
    static boolean namenode(CrailClient client, Servers.Way way) {
        boolean unixSocket = client.clientStatistics().namenode().startsWith("/");
        return unixSocket == (way == Servers.Way.LOCAL);
    }

    /** Whether all bytes so far went that way. */
    static boolean data(CrailClient client, Servers.Way way) {
        ClientStatistics statistics = client.clientStatistics();
        ClientStatistics.Moved moved = statistics.over(TCP);
        long overTcp = moved.bytesRead() + moved.bytesWritten();
        long all = statistics.bytesRead() + statistics.bytesWritten();
        return way == Servers.Way.LOCAL ? overTcp == 0 : overTcp == all;
    }
}
