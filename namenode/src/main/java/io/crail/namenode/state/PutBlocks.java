// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * A value that was written to blocks is swapped in.
 *
 * @param table TABLE
 * @param key the key
 * @param node id of the value
 * @param version its version
 * @param time milliseconds since 1970
 * @param extents the blocks, in order
 * @param returned granted blocks that are not used
 * @param grants blocks granted to the session for a further value
 */
public record PutBlocks(
        long table,
        byte[] key,
        long node,
        long version,
        long time,
        List<CommittedExtent> extents,
        List<BlockId> returned,
        List<GrantedBlock> grants)
        implements Mutation {
    static PutBlocks decode(WireReader reader) throws ProtocolException {
        return new PutBlocks(
                reader.i64(),
                reader.bytes(Names.MAX_KEY),
                reader.i64(),
                reader.i64(),
                reader.i64(),
                Lists.decode(reader, CommittedExtent.WIRE_SIZE, CommittedExtent::decode),
                Lists.decode(reader, BlockId.WIRE_SIZE, BlockId::decode),
                // Absent in logs of namenodes that granted nothing ahead.
                reader.remaining() > 0
                        ? Lists.decode(reader, GrantedBlock.WIRE_SIZE, GrantedBlock::decode)
                        : List.of());
    }

    @Override
    public int code() {
        return RecordType.PUT_BLOCKS.code();
    }

    @Override
    public int replyType() {
        return MessageType.PUT.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(table);
        writer.bytes(key);
        writer.i64(node);
        writer.i64(version);
        writer.i64(time);
        Lists.encode(writer, extents, CommittedExtent::encode);
        Lists.encode(writer, returned, BlockId::encode);
        Lists.encode(writer, grants, GrantedBlock::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        ContainerNode container = (ContainerNode) state.node(table);
        ExtentList list = new ExtentList(extents.size());
        state.leases().commitValue(origin.session(), extents, list);
        state.leases().release(origin.session(), returned);
        KeyValueNode made =
                state.tree().newBlockValue(node, container.attributes(), time, version, list);
        state.swapValue(container, key, made);
        state.useNodeId(node);
        state.useVersion(version);
        state.leases().grant(origin.session(), 0, grants);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writer.i64(node).i64(version);
        state.references().grants(writer, origin.session(), grants);
    }
}
