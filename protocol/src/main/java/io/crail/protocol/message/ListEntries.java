// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** One page of a container, in order of unsigned name bytes, with attributes. */
public final class ListEntries {
    private ListEntries() {}

    /**
     * One entry.
     *
     * @param name name as bytes
     * @param status attributes
     */
    public record Entry(byte[] name, NodeStatus status) {
        public void encode(WireWriter writer) {
            writer.bytes(name);
            status.encode(writer);
        }

        public static Entry decode(WireReader reader) throws ProtocolException {
            return new Entry(reader.bytes(Names.MAX_KEY), NodeStatus.decode(reader));
        }
    }

    /**
     * Request 36.
     *
     * @param path absolute path of a container (TABLE: see Scan)
     * @param cursor last name seen; empty = from the start
     * @param limit entries wanted, at most the server's page limit
     */
    public record Request(byte[] path, byte[] cursor, int limit) implements Message {
        @Override
        public MessageType type() {
            return MessageType.LIST;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.bytes(cursor);
            writer.u16(limit);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH), reader.bytes(Names.MAX_KEY), reader.u16());
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
