// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.util.List;

/**
 * A session opens a FILE for reading; the request id is the handle.
 *
 * @param node FILE
 */
public record OpenForReading(long node) implements Mutation {
    static OpenForReading decode(WireReader reader) throws ProtocolException {
        return new OpenForReading(reader.i64());
    }

    @Override
    public int code() {
        return RecordType.OPEN_READ.code();
    }

    @Override
    public int replyType() {
        return MessageType.OPEN.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.leases().addReader(origin, (FileNode) state.node(node));
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        FileNode file = (FileNode) state.node(node);
        writer.i64(origin.requestId());
        file.encodeStatus(writer);
        state.references().extents(writer, origin.session(), file.extents(), 0);
        state.references().grants(writer, origin.session(), List.of());
    }
}
