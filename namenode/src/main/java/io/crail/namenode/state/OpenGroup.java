// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * A session opens some members of a MULTIFILE for reading; the request id is the handle of all of
 * them.
 *
 * @param container MULTIFILE
 * @param bound highest node id of members that count, for the answer
 * @param more whether another page must be asked for, for the answer
 * @param cursor where it begins, for the answer
 * @param references most extents of one member in the answer
 * @param members ids of the members, in order of their names
 */
public record OpenGroup(
        long container, long bound, boolean more, byte[] cursor, int references, List<Long> members)
        implements Mutation {
    static OpenGroup decode(WireReader reader) throws ProtocolException {
        return new OpenGroup(
                reader.i64(),
                reader.i64(),
                reader.bool(),
                reader.bytes(Names.MAX_NAME),
                reader.u8(),
                Lists.decode(reader, 8, WireReader::i64));
    }

    @Override
    public int code() {
        return RecordType.OPEN_MEMBERS.code();
    }

    @Override
    public int replyType() {
        return MessageType.OPEN_MEMBERS.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(container).i64(bound).bool(more).bytes(cursor).u8(references);
        Lists.encode(writer, members, (id, w) -> w.i64(id));
    }

    @Override
    public void apply(State state, Origin origin) {
        state.leases().openGroup(origin, files(state));
    }

    private List<FileNode> files(State state) {
        return members.stream().map(id -> (FileNode) state.node(id)).toList();
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        reply(state, origin, members.isEmpty() ? 0 : origin.requestId(), writer);
    }

    /** The answer to a page without members, which changes nothing. */
    public void replyEmpty(State state, WireWriter writer) {
        reply(state, Origin.NAMENODE, 0, writer);
    }

    private void reply(State state, Origin origin, long handle, WireWriter writer) {
        writer.i64(handle);
        ((ContainerNode) state.node(container)).encodeStatus(writer);
        writer.i64(bound).bool(more).bytes(cursor).u16(members.size());
        for (FileNode member : files(state)) {
            int mark = writer.beginRecord();
            writer.bytes(member.name());
            member.encodeStatus(writer);
            ExtentList extents = member.extents();
            state.references().extents(writer, origin.session(), extents, 0, references);
            writer.endRecord(mark);
        }
    }
}
