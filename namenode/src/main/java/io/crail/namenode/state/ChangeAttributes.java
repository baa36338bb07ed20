// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * Attributes of a node change.
 *
 * @param node its id
 * @param attributes all of them, as they are from now on
 * @param modified time of modification
 * @param accessed time of access, for a FILE
 */
public record ChangeAttributes(long node, Attributes attributes, long modified, long accessed)
        implements Mutation {
    static ChangeAttributes decode(WireReader reader) throws ProtocolException {
        return new ChangeAttributes(
                reader.i64(), Attributes.decode(reader), reader.i64(), reader.i64());
    }

    @Override
    public int code() {
        return RecordType.ATTRIBUTES.code();
    }

    @Override
    public int replyType() {
        return MessageType.SET_ATTRIBUTES.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
        attributes.encode(writer);
        writer.i64(modified);
        writer.i64(accessed);
    }

    @Override
    public void apply(State state, Origin origin) {
        Node target = state.node(node);
        state.tree().setAttributes(target, attributes);
        state.tree().setModified(target, modified);
        if (target instanceof FileNode file) {
            state.tree().files().setAccessed(file, accessed);
        }
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        state.node(node).encodeStatus(writer);
    }
}
