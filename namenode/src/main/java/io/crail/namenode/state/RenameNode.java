// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.node.Names;

/**
 * A node gets another name, perhaps in another directory.
 *
 * @param node its id
 * @param parent new parent
 * @param name new name
 * @param replaced id of the node that had the name, or 0
 * @param time milliseconds since 1970
 */
public record RenameNode(long node, long parent, byte[] name, long replaced, long time)
        implements Mutation {
    static RenameNode decode(WireReader reader) throws ProtocolException {
        return new RenameNode(
                reader.i64(),
                reader.i64(),
                reader.bytes(Names.MAX_NAME),
                reader.i64(),
                reader.i64());
    }

    @Override
    public int code() {
        return RecordType.RENAME.code();
    }

    @Override
    public int replyType() {
        return MessageType.RENAME.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
        writer.i64(parent);
        writer.bytes(name);
        writer.i64(replaced);
        writer.i64(time);
    }

    @Override
    public void apply(State state, Origin origin) {
        if (replaced != 0) {
            state.removal().removeNamed(state.node(replaced), time);
        }
        Tree tree = state.tree();
        Node moved = state.node(node);
        ContainerNode from = moved.parent();
        ContainerNode to = (ContainerNode) state.node(parent);
        tree.unlink(moved);
        tree.link(to, name, moved);
        if (from != null) {
            tree.setModified(from, time);
        }
        tree.setModified(to, time);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        state.node(node).encodeStatus(writer);
    }
}
