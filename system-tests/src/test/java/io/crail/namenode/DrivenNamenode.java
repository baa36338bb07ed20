// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.block.BlockMap;
import java.io.IOException;

/** A namenode without a thread, on a machine of the test's. */
public final class DrivenNamenode {
    private final NamenodeServer server;

    private DrivenNamenode(NamenodeServer server) {
        this.server = server;
    }

    public static DrivenNamenode start(NamenodeConfig config, HostEnvironment host)
            throws IOException {
        return new DrivenNamenode(NamenodeServer.prepare(config, host));
    }

    /** One turn; says in how many nanoseconds it wants the next one. */
    public long turn() throws IOException {
        return server.turn();
    }

    /** To be looked at between turns. */
    public BlockMap blocks() {
        return server.engine().state().blocks();
    }

    /** Gives back what belongs to the process; nothing is written that a kill would not leave. */
    public void drop() throws IOException {
        server.close();
    }
}
