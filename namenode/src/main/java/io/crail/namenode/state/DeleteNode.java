// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * A node loses its name; what is below it goes with it, in slices.
 *
 * @param node its id
 * @param time milliseconds since 1970
 */
public record DeleteNode(long node, long time) implements Mutation {
    static DeleteNode decode(WireReader reader) throws ProtocolException {
        return new DeleteNode(reader.i64(), reader.i64());
    }

    @Override
    public int code() {
        return RecordType.DELETE.code();
    }

    @Override
    public int replyType() {
        return MessageType.DELETE.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
        writer.i64(time);
    }

    @Override
    public void apply(State state, Origin origin) {
        Node target = state.node(node);
        ContainerNode parent = target.parent();
        state.removal().removeNamed(target, time);
        if (parent != null) {
            state.tree().setModified(parent, time);
        }
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writer.i64(node);
    }
}
