// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.MessageType;

/**
 * Whether a storage server gets new blocks.
 *
 * @param server server id
 * @param draining true = it does not
 */
public record DrainServer(int server, boolean draining) implements Mutation {
    static DrainServer decode(WireReader reader) throws ProtocolException {
        return new DrainServer(reader.i32(), reader.bool());
    }

    @Override
    public int code() {
        return RecordType.DRAIN.code();
    }

    @Override
    public int replyType() {
        return MessageType.DRAIN.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i32(server).bool(draining);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.servers().setDraining(server, draining);
        state.blocks().drain(server, draining);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        new Drain.Reply(state.blocks().serverState(server).wire()).encode(writer);
    }
}
