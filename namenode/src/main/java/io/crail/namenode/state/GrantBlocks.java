// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.util.List;

/**
 * Blocks are granted: to a lease, or to a session for values.
 *
 * @param handle handle of the lease, or 0
 * @param grants the blocks
 */
public record GrantBlocks(long handle, List<GrantedBlock> grants) implements Mutation {
    static GrantBlocks decode(WireReader reader) throws ProtocolException {
        return new GrantBlocks(
                reader.i64(), Lists.decode(reader, GrantedBlock.WIRE_SIZE, GrantedBlock::decode));
    }

    @Override
    public int code() {
        return RecordType.GRANT.code();
    }

    @Override
    public int replyType() {
        return MessageType.GRANT.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(handle);
        Lists.encode(writer, grants, GrantedBlock::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.leases().grant(origin.session(), handle, grants);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        state.references().grants(writer, origin.session(), grants);
    }
}
