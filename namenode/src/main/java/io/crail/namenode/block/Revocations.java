// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/**
 * What storage servers have to be told: blocks that nobody refers to any more, each once until the
 * server is away. Not thread-safe: owned by the engine thread.
 */
public final class Revocations {
    private final ServerDirectory servers;
    private final Reports reports;

    Revocations(ServerDirectory servers, Reports reports) {
        this.servers = servers;
        this.reports = reports;
    }

    /**
     * Passes blocks that a server must revoke and has not been told of since it was last away.
     *
     * @return number of blocks passed; {@code limit} means that there may be more
     */
    public int take(int server, int limit, BlockConsumer out) {
        return reports.take(servers.get(server), limit, out);
    }

    /** Whether {@link #take} may have something to pass. */
    public boolean isAny(int server) {
        return !servers.get(server).toRevoke.isEmpty();
    }

    /** For when a server is back, or an answer to it was lost: tells it everything again. */
    public void tellAgain(int server) {
        reports.tellAgain(servers.get(server));
    }
}
