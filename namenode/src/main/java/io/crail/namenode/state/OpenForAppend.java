// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.util.List;

/**
 * A session takes the lease of a FILE; an expired lease of another is broken first.
 *
 * @param node FILE
 * @param grants blocks granted with it
 */
public record OpenForAppend(long node, List<GrantedBlock> grants) implements Mutation {
    static OpenForAppend decode(WireReader reader) throws ProtocolException {
        return new OpenForAppend(
                reader.i64(), Lists.decode(reader, GrantedBlock.WIRE_SIZE, GrantedBlock::decode));
    }

    @Override
    public int code() {
        return RecordType.OPEN_APPEND.code();
    }

    @Override
    public int replyType() {
        return MessageType.OPEN.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
        Lists.encode(writer, grants, GrantedBlock::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        FileNode file = (FileNode) state.node(node);
        state.leases().breakLease(file);
        state.leases().take(origin, file, false);
        state.leases().grant(origin.session(), origin.requestId(), grants);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        FileNode file = (FileNode) state.node(node);
        writer.i64(origin.requestId());
        file.encodeStatus(writer);
        state.references().lastExtent(writer, origin.session(), file);
        state.references().grants(writer, origin.session(), grants);
    }
}
