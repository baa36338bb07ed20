// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.util.List;

/**
 * What rides on a keep-alive: closed read handles and returned grants.
 *
 * @param handles handles that are closed; unknown ones are ignored
 * @param returned blocks not used; unknown ones are ignored
 */
public record ReleaseHeld(List<Long> handles, List<BlockId> returned) implements Mutation {
    static ReleaseHeld decode(WireReader reader) throws ProtocolException {
        return new ReleaseHeld(
                Lists.decode(reader, 8, WireReader::i64),
                Lists.decode(reader, BlockId.WIRE_SIZE, BlockId::decode));
    }

    @Override
    public int code() {
        return RecordType.RELEASE.code();
    }

    @Override
    public int replyType() {
        return MessageType.KEEP_ALIVE.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        Lists.encode(writer, handles, (value, w) -> w.i64(value));
        Lists.encode(writer, returned, BlockId::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        for (long handle : handles) {
            state.leases().closeReader(origin.session(), handle);
        }
        state.leases().release(origin.session(), returned);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writer.i64(state.servers().version());
    }
}
