// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * Takes the first entries out of the first detached container, or the last extents from the first
 * detached file; the node goes with its last one.
 *
 * @param node its id
 * @param count how many entries or extents
 */
public record ReapNode(long node, int count) implements Mutation {
    static ReapNode decode(WireReader reader) throws ProtocolException {
        return new ReapNode(reader.i64(), reader.i32());
    }

    @Override
    public int code() {
        return RecordType.REAP.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
        writer.i32(count);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.removal().reap(node, count);
    }
}
