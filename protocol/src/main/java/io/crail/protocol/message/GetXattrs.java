// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.Xattrs;
import java.util.List;

/** Extended attributes of a node. */
public final class GetXattrs {
    /** Answer names only; values are empty. */
    public static final int NAMES = 1;

    private GetXattrs() {}

    /**
     * One attribute.
     *
     * @param name name with its namespace
     * @param value the value
     */
    public record Entry(String name, byte[] value) {
        public void encode(WireWriter writer) {
            writer.string(name);
            writer.bytes(value);
        }

        public static Entry decode(WireReader reader) throws ProtocolException {
            return new Entry(reader.string(Xattrs.MAX_NAME), reader.bytes(0xFFFF));
        }
    }

    /**
     * Request 46.
     *
     * @param path absolute path
     * @param name name of the one wanted, "" = all
     * @param flags NAMES or 0
     */
    public record Request(byte[] path, String name, int flags) implements Message {
        @Override
        public MessageType type() {
            return MessageType.GET_XATTRS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.string(name);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH), reader.string(Xattrs.MAX_NAME), reader.u8());
        }
    }

    /**
     * Reply 46.
     *
     * @param entries the attributes in order of their names; none if the one wanted does not exist
     */
    public record Reply(List<Entry> entries) implements Message {
        @Override
        public MessageType type() {
            return MessageType.GET_XATTRS;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.records(writer, entries, Entry::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Fields.records(reader, Entry::decode));
        }
    }
}
