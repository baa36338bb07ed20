// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.node.Names;

/**
 * A key goes.
 *
 * @param table TABLE
 * @param key the key
 */
public record RemoveKey(long table, byte[] key) implements Mutation {
    static RemoveKey decode(WireReader reader) throws ProtocolException {
        return new RemoveKey(reader.i64(), reader.bytes(Names.MAX_KEY));
    }

    @Override
    public int code() {
        return RecordType.REMOVE.code();
    }

    @Override
    public int replyType() {
        return MessageType.REMOVE.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(table);
        writer.bytes(key);
    }

    @Override
    public void apply(State state, Origin origin) {
        ContainerNode container = (ContainerNode) state.node(table);
        Node value = container.find(key);
        if (value == null) {
            throw new IllegalStateException("key is not in table " + table);
        }
        state.removal().removeNamed(value, 0);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writer.bool(true);
    }
}
