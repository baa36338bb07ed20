// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.node;

import io.crail.error.ProtocolException;

/** What an entry of the namespace is. Wire codes are append-only. */
public enum NodeType {
    DIRECTORY(1),
    FILE(2),
    MULTIFILE(3),
    TABLE(4),
    KEYVALUE(5),
    STREAM(6);

    private static final NodeType[] BY_WIRE = {
        null, DIRECTORY, FILE, MULTIFILE, TABLE, KEYVALUE, STREAM
    };

    private final int wire;

    NodeType(int wire) {
        this.wire = wire;
    }

    public int wire() {
        return wire;
    }

    /** Whether nodes live below nodes of this type. */
    public boolean isContainer() {
        return this == DIRECTORY || this == MULTIFILE || this == TABLE;
    }

    public static NodeType ofWire(int wire) throws ProtocolException {
        if (wire < 1 || wire >= BY_WIRE.length) {
            throw new ProtocolException("unknown node type " + wire);
        }
        return BY_WIRE[wire];
    }
}
