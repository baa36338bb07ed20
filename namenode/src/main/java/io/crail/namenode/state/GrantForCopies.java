// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.util.List;

/**
 * Blocks are granted to a session for copies; some of those asked for are refused. Both are in the
 * record, because the answer is part of the change: a retry gets the same results.
 *
 * @param statuses for each copy 0 or the error code of the refusal
 * @param grants the blocks, in the order of the copies that have one
 */
public record GrantForCopies(List<Integer> statuses, List<GrantedBlock> grants)
        implements Mutation {
    static GrantForCopies decode(WireReader reader) throws ProtocolException {
        return new GrantForCopies(
                Lists.decode(reader, Short.BYTES, WireReader::u16),
                Lists.decode(reader, GrantedBlock.WIRE_SIZE, GrantedBlock::decode));
    }

    @Override
    public int code() {
        return RecordType.GRANT_COPIES.code();
    }

    @Override
    public int replyType() {
        return MessageType.GRANT_COPIES.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        Lists.encode(writer, statuses, (status, to) -> to.u16(status));
        Lists.encode(writer, grants, GrantedBlock::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.leases().grant(origin.session(), 0, grants);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writer.u16(statuses.size());
        statuses.forEach(writer::i32);
        state.references().grants(writer, origin.session(), grants);
    }
}
