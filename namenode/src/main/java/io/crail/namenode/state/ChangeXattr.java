// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.node.Xattrs;

/**
 * An extended attribute is set or removed.
 *
 * @param node its node
 * @param name its name
 * @param existed whether the node had it before
 * @param remove whether it goes
 * @param value its value from now on
 */
public record ChangeXattr(long node, String name, boolean existed, boolean remove, byte[] value)
        implements Mutation {
    static ChangeXattr decode(WireReader reader) throws ProtocolException {
        return new ChangeXattr(
                reader.i64(),
                reader.string(Xattrs.MAX_NAME),
                reader.bool(),
                reader.bool(),
                reader.bytes(Xattrs.MAX_VALUE));
    }

    @Override
    public int code() {
        return RecordType.XATTR.code();
    }

    @Override
    public int replyType() {
        return MessageType.SET_XATTR.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
        writer.string(name);
        writer.bool(existed);
        writer.bool(remove);
        writer.bytes(value);
    }

    @Override
    public void apply(State state, Origin origin) {
        if (remove) {
            state.tree().extras().removeXattr(state.node(node), name);
        } else {
            state.tree().extras().setXattr(state.node(node), name, value);
        }
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writer.bool(existed);
    }
}
