// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * The block of one extent is swapped for a copy.
 *
 * @param node node id
 * @param index index of the extent in the node
 * @param copy the block with the copy, granted to the session
 */
public record MoveExtent(long node, int index, CommittedExtent copy) implements Mutation {
    static MoveExtent decode(WireReader reader) throws ProtocolException {
        return new MoveExtent(reader.i64(), reader.i32(), CommittedExtent.decode(reader));
    }

    @Override
    public int code() {
        return RecordType.MOVE.code();
    }

    @Override
    public int replyType() {
        return MessageType.MOVE.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node).i32(index);
        copy.encode(writer);
    }

    @Override
    public void apply(State state, Origin origin) {
        Node moved = state.node(node);
        state.leases().move(origin.session(), moved, index, copy);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {}
}
