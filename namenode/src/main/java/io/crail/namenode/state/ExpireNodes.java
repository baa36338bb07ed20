// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * Nodes go because their time is over; what is below them goes with them, in slices.
 *
 * @param clock what the lifetime clock shows
 * @param time milliseconds since 1970
 * @param nodes which ones: by name, because inline values are not found by id
 */
public record ExpireNodes(long clock, long time, List<ExpireNodes.Named> nodes)
        implements Mutation {
    static ExpireNodes decode(WireReader reader) throws ProtocolException {
        return new ExpireNodes(reader.i64(), reader.i64(), Lists.decode(reader, 10, Named::decode));
    }

    @Override
    public int code() {
        return RecordType.EXPIRE.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(clock);
        writer.i64(time);
        Lists.encode(writer, nodes, Named::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.tree().lifetimes().record(clock);
        for (Named node : nodes) {
            state.lifeSpans().expire(node.parent(), node.name(), time);
        }
    }

    /** A node by its container and its name or key. */
    public record Named(long parent, byte[] name) {
        void encode(WireWriter writer) {
            writer.i64(parent).bytes(name);
        }

        static Named decode(WireReader reader) throws ProtocolException {
            return new Named(reader.i64(), reader.bytes(Names.MAX_KEY));
        }
    }
}
