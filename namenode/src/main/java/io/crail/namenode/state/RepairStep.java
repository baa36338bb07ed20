// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.TotalsRecount;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.Repair;

/**
 * One thing was put right that a check had found.
 *
 * @param step as in {@link Repair}
 * @param node the node or container, or 0
 * @param block the block
 * @param length its size in bytes
 * @param generation its generation
 * @param time milliseconds since 1970
 */
public record RepairStep(int step, long node, BlockId block, int length, long generation, long time)
        implements Mutation {
    static RepairStep decode(WireReader reader) throws ProtocolException {
        return new RepairStep(
                reader.u8(),
                reader.i64(),
                BlockId.decode(reader),
                reader.length32(),
                reader.i64(),
                reader.i64());
    }

    @Override
    public int code() {
        return RecordType.REPAIR.code();
    }

    @Override
    public int replyType() {
        return MessageType.REPAIR.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.u8(step).i64(node);
        block.encode(writer);
        writer.i32(length).i64(generation).i64(time);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        new Repair.Reply(false).encode(writer);
    }

    @Override
    public void apply(State state, Origin origin) {
        switch (step) {
            case Repair.ORPHAN ->
                    // What made it an orphan may not be in the log: then it is free in a replay,
                    // as it should be, and nothing is done.
                    state.blocks()
                            .unreference(
                                    block.server(),
                                    block.segment(),
                                    block.record(),
                                    length,
                                    generation);
            case Repair.LOST -> {
                Node lost = state.node(node);
                ContainerNode parent = lost.parent();
                state.removal().removeNamed(lost, time);
                if (parent != null) {
                    state.tree().setModified(parent, time);
                }
            }
            case Repair.TOTALS ->
                    new TotalsRecount(state.tree()).repair((ContainerNode) state.node(node));
            default -> throw new IllegalStateException("repair step " + step);
        }
    }
}
