// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.Retention;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * A STREAM is made.
 *
 * @param retention how much of it is kept
 * @param create the rest of it, as of any node
 */
public record CreateStream(Retention retention, CreateNode create) implements Mutation {
    static CreateStream decode(WireReader reader) throws ProtocolException {
        return new CreateStream(Retention.decode(reader), CreateNode.decode(reader));
    }

    @Override
    public int code() {
        return RecordType.STREAM_CREATE.code();
    }

    @Override
    public int replyType() {
        return MessageType.STREAM_CREATE.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        retention.encode(writer);
        create.encode(writer);
    }

    @Override
    public void apply(State state, Origin origin) {
        create.apply(state, origin, retention);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        create.reply(state, origin, writer);
    }
}
