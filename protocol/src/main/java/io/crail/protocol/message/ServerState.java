// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;

/** What the namenode thinks of a storage server. Wire codes are append-only. */
public enum ServerState {
    /** Known from the log and not back yet: reads wait within their deadline. */
    EXPECTED(1),
    LIVE(2),
    DRAINING(3),
    /** Silent for longer than the dead-server time: its blocks are out of reach. */
    DEAD(4);

    private final int wire;

    ServerState(int wire) {
        this.wire = wire;
    }

    public int wire() {
        return wire;
    }

    public static ServerState ofWire(int wire) throws ProtocolException {
        for (ServerState state : values()) {
            if (state.wire == wire) {
                return state;
            }
        }
        throw new ProtocolException("unknown server state " + wire);
    }
}
