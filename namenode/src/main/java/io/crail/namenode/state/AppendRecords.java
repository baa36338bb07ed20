// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.StreamNode;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Records are appended to a STREAM, or only blocks granted for that.
 *
 * @param node STREAM
 * @param records how many, perhaps none
 * @param time milliseconds since 1970
 * @param extents blocks with their frames; empty if the frames are inline
 * @param returned granted blocks that are not used
 * @param grants blocks granted to the session for further appends
 * @param frames inline frames; valid only during the call that made this object
 */
public record AppendRecords(
        long node,
        int records,
        long time,
        List<CommittedExtent> extents,
        List<BlockId> returned,
        List<GrantedBlock> grants,
        ByteBuffer frames)
        implements Mutation {
    static AppendRecords decode(WireReader reader) throws ProtocolException {
        return new AppendRecords(
                reader.i64(),
                reader.length32(),
                reader.i64(),
                Lists.decode(reader, CommittedExtent.WIRE_SIZE, CommittedExtent::decode),
                Lists.decode(reader, BlockId.WIRE_SIZE, BlockId::decode),
                Lists.decode(reader, GrantedBlock.WIRE_SIZE, GrantedBlock::decode),
                reader.view(reader.remaining()));
    }

    @Override
    public int code() {
        return RecordType.STREAM_APPEND.code();
    }

    @Override
    public int replyType() {
        return MessageType.STREAM_APPEND.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node).i32(records).i64(time);
        Lists.encode(writer, extents, CommittedExtent::encode);
        Lists.encode(writer, returned, BlockId::encode);
        Lists.encode(writer, grants, GrantedBlock::encode);
        writer.raw(frames);
    }

    @Override
    public void apply(State state, Origin origin) {
        StreamNode stream = (StreamNode) state.node(node);
        Leases leases = state.leases();
        if (!extents.isEmpty()) {
            ExtentList blocks = new ExtentList();
            leases.commitValue(origin.session(), extents, blocks);
            state.tree().streams().appendBlocks(stream, records, blocks, time);
        } else if (records > 0) {
            int bytes = frames.remaining();
            long handle = state.allocateFrames(stream, frames);
            state.tree().streams().appendInline(stream, records, bytes, handle, time);
        }
        leases.release(origin.session(), returned);
        leases.grant(origin.session(), 0, grants);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        StreamNode stream = (StreamNode) state.node(node);
        writer.i64(stream.next() - records);
        writer.i32(Math.max(0, State.MAX_STREAM_INLINE - stream.inlineBytes()));
        state.references().grants(writer, origin.session(), grants);
    }
}
