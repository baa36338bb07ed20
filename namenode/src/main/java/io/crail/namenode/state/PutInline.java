// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.node.Names;
import java.nio.ByteBuffer;

/**
 * A small value is swapped in.
 *
 * @param table TABLE
 * @param key the key
 * @param node id of the value
 * @param version its version
 * @param time milliseconds since 1970
 * @param value the bytes; valid only during the call that made this object
 */
public record PutInline(
        long table, byte[] key, long node, long version, long time, ByteBuffer value)
        implements Mutation {
    static PutInline decode(WireReader reader) throws ProtocolException {
        return new PutInline(
                reader.i64(),
                reader.bytes(Names.MAX_KEY),
                reader.i64(),
                reader.i64(),
                reader.i64(),
                reader.view(reader.remaining()));
    }

    @Override
    public int code() {
        return RecordType.PUT_INLINE.code();
    }

    @Override
    public int replyType() {
        return MessageType.PUT.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(table);
        writer.bytes(key);
        writer.i64(node);
        writer.i64(version);
        writer.i64(time);
        writer.raw(value);
    }

    @Override
    public void apply(State state, Origin origin) {
        ContainerNode container = (ContainerNode) state.node(table);
        Tree tree = state.tree();
        long handle = state.allocateInline(value);
        KeyValueNode made =
                tree.newInlineValue(
                        node, container.attributes(), time, version, handle, value.remaining());
        state.swapValue(container, key, made);
        state.useNodeId(node);
        state.useVersion(version);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writer.i64(node).i64(version);
    }
}
