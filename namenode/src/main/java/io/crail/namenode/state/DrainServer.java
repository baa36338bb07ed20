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
 * @param force granted blocks there are taken back, and leases that stand in the way ended
 * @param revokedBytes for the answer: bytes of these blocks
 * @param endedLeases for the answer: how many leases
 * @param answer state of the server as it was answered, {@link #NOT_LOGGED} in older logs
 */
public record DrainServer(
        int server, boolean draining, boolean force, long revokedBytes, int endedLeases, int answer)
        implements Mutation {
    private static final int NOT_LOGGED = 0;

    static DrainServer decode(WireReader reader) throws ProtocolException {
        int server = reader.i32();
        boolean draining = reader.bool();
        return reader.remaining() == 0
                ? new DrainServer(server, draining, false, 0, 0, NOT_LOGGED)
                : new DrainServer(
                        server,
                        draining,
                        reader.bool(),
                        reader.length64(),
                        reader.length32(),
                        reader.u8());
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
        writer.i32(server).bool(draining).bool(force).i64(revokedBytes).i32(endedLeases).u8(answer);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.servers().setDraining(server, draining);
        state.blocks().drain(server, draining);
        if (force) {
            new ServerHolds(state, server).revoke();
        }
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        new Drain.Reply(
                        answer == NOT_LOGGED ? state.blocks().serverState(server).wire() : answer,
                        revokedBytes,
                        endedLeases)
                .encode(writer);
    }
}
