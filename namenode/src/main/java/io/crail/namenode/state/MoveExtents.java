// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.util.List;

/**
 * The blocks of extents are swapped for copies, one after the other; some swaps that were asked for
 * are refused. Both are in the record, because the answer is part of the change.
 *
 * @param statuses for each swap 0 or the error code of the refusal
 * @param moves those that are not refused, in their order
 */
public record MoveExtents(List<Integer> statuses, List<MoveExtent> moves) implements Mutation {
    /** Bytes of a move in the log. */
    private static final int MOVE_BYTES = 8 + 4 + CommittedExtent.WIRE_SIZE;

    static MoveExtents decode(WireReader reader) throws ProtocolException {
        return new MoveExtents(
                Lists.decode(reader, Short.BYTES, WireReader::u16),
                Lists.decode(reader, MOVE_BYTES, MoveExtent::decode));
    }

    @Override
    public int code() {
        return RecordType.MOVE_COPIES.code();
    }

    @Override
    public int replyType() {
        return MessageType.MOVE_COPIES.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        Lists.encode(writer, statuses, (status, to) -> to.u16(status));
        Lists.encode(writer, moves, MoveExtent::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        moves.forEach(move -> move.apply(state, origin));
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writeStatuses(writer);
    }

    /** The answer; it hangs on nothing else. */
    public void writeStatuses(WireWriter writer) {
        writer.u16(statuses.size());
        statuses.forEach(writer::i32);
    }
}
