// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * Opens a page of the members of a MULTIFILE for reading: one handle keeps the bytes of all of
 * them, and the answer says all that a reader needs to begin.
 */
public final class OpenMembers {
    /** Leave out members that are being written. */
    public static final int CLOSED_ONLY = 1;

    private OpenMembers() {}

    /**
     * One member.
     *
     * @param name its name
     * @param status attributes; the length is what is committed now
     * @param extents its first extents
     */
    public record Member(byte[] name, NodeStatus status, List<Extent> extents) {
        public void encode(WireWriter writer) {
            writer.bytes(name);
            status.encode(writer);
            Fields.list(writer, extents, Extent.WIRE_SIZE, Extent::encode);
        }

        public static Member decode(WireReader reader) throws ProtocolException {
            return new Member(
                    reader.bytes(Names.MAX_NAME),
                    NodeStatus.decode(reader),
                    Fields.list(reader, Extent.WIRE_SIZE, Extent::decode));
        }
    }

    /**
     * Request 51.
     *
     * @param path absolute path of the MULTIFILE; used by the first page only
     * @param node 0 for the first page; then the id that its answer named
     * @param bound 0 for the first page; then as its answer said
     * @param cursor empty for the first page; then as the answer before said
     * @param limit members wanted
     * @param references extents wanted of each member, at most 64
     * @param flags CLOSED_ONLY or 0
     */
    public record Request(
            byte[] path, long node, long bound, byte[] cursor, int limit, int references, int flags)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.OPEN_MEMBERS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.i64(node);
            writer.i64(bound);
            writer.bytes(cursor);
            writer.u16(limit);
            writer.u8(references);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.i64(),
                    reader.i64(),
                    reader.bytes(Names.MAX_NAME),
                    reader.u16(),
                    reader.u8(),
                    reader.u8());
        }
    }

    /**
     * Reply 51.
     *
     * @param handle of all members in this answer; 0 if it holds none
     * @param status attributes of the MULTIFILE
     * @param bound members with a higher node id were made after the first page
     * @param more whether another page must be asked for
     * @param cursor where it begins
     * @param members the members, in order of their names
     */
    public record Reply(
            long handle,
            NodeStatus status,
            long bound,
            boolean more,
            byte[] cursor,
            List<Member> members)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.OPEN_MEMBERS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(handle);
            status.encode(writer);
            writer.i64(bound);
            writer.bool(more);
            writer.bytes(cursor);
            Fields.records(writer, members, Member::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i64(),
                    NodeStatus.decode(reader),
                    reader.i64(),
                    reader.bool(),
                    reader.bytes(Names.MAX_NAME),
                    Fields.records(reader, Member::decode));
        }
    }
}
