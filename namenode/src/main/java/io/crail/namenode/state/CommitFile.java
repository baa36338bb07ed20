// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.util.List;

/**
 * Written bytes become part of a FILE.
 *
 * @param node FILE
 * @param handle handle of the lease
 * @param close whether the lease ends, cleanly
 * @param extents blocks in order; the first may be the last one committed before
 * @param returned granted blocks that are not used
 * @param time milliseconds since 1970
 * @param version version of the file from now on
 */
public record CommitFile(
        long node,
        long handle,
        boolean close,
        List<CommittedExtent> extents,
        List<BlockId> returned,
        long time,
        long version)
        implements Mutation {
    static CommitFile decode(WireReader reader) throws ProtocolException {
        return new CommitFile(
                reader.i64(),
                reader.i64(),
                reader.bool(),
                Lists.decode(reader, CommittedExtent.WIRE_SIZE, CommittedExtent::decode),
                Lists.decode(reader, BlockId.WIRE_SIZE, BlockId::decode),
                reader.i64(),
                reader.i64());
    }

    @Override
    public int code() {
        return RecordType.COMMIT.code();
    }

    @Override
    public int replyType() {
        return MessageType.COMMIT.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
        writer.i64(handle);
        writer.bool(close);
        Lists.encode(writer, extents, CommittedExtent::encode);
        Lists.encode(writer, returned, BlockId::encode);
        writer.i64(time);
        writer.i64(version);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.leases().commit(this, origin.session());
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        state.node(node).encodeStatus(writer);
    }
}
