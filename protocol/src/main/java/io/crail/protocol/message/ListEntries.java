// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** One page of a container, in order of unsigned name bytes, with attributes. */
public final class ListEntries {
    /** Answer on which servers the bytes of FILEs lie. */
    public static final int PLACES = 1;

    private ListEntries() {}

    /**
     * Bytes of a FILE, behind those of the places before, that lie on one server.
     *
     * @param server id of the storage server
     * @param length how many
     */
    public record Place(int server, long length) {
        /** Bytes on the wire. */
        public static final int WIRE_SIZE = 12;

        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.i64(length);
        }

        public static Place decode(WireReader reader) throws ProtocolException {
            return new Place(reader.i32(), reader.length64());
        }
    }

    /**
     * One entry.
     *
     * @param name name as bytes
     * @param status attributes
     * @param places from its first byte on, if they were asked for; they may end before its last
     */
    public record Entry(byte[] name, NodeStatus status, List<Place> places) {
        /** Without places. */
        public Entry(byte[] name, NodeStatus status) {
            this(name, status, List.of());
        }

        public void encode(WireWriter writer) {
            writer.bytes(name);
            status.encode(writer);
            Fields.list(writer, places, Place.WIRE_SIZE, Place::encode);
        }

        public static Entry decode(WireReader reader) throws ProtocolException {
            return new Entry(
                    reader.bytes(Names.MAX_KEY),
                    NodeStatus.decode(reader),
                    reader.remaining() > 0
                            ? Fields.list(reader, Place.WIRE_SIZE, Place::decode)
                            : List.of());
        }
    }

    /**
     * Request 36.
     *
     * @param path absolute path of a container (TABLE: see Scan)
     * @param cursor last name seen; empty = from the start
     * @param limit entries wanted, at most the server's page limit
     * @param flags PLACES or 0
     */
    public record Request(byte[] path, byte[] cursor, int limit, int flags) implements Message {
        /** Without flags. */
        public Request(byte[] path, byte[] cursor, int limit) {
            this(path, cursor, limit, 0);
        }

        @Override
        public MessageType type() {
            return MessageType.LIST;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.bytes(cursor);
            writer.u16(limit);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.bytes(Names.MAX_KEY),
                    reader.u16(),
                    reader.remaining() > 0 ? reader.u8() : 0);
        }
    }

    /**
     * Reply 36.
     *
     * @param more whether entries follow the last one
     * @param entries the entries
     */
    public record Reply(boolean more, List<Entry> entries) implements Message {
        @Override
        public MessageType type() {
            return MessageType.LIST;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bool(more);
            Fields.records(writer, entries, Entry::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.bool(), Fields.records(reader, Entry::decode));
        }
    }
}
