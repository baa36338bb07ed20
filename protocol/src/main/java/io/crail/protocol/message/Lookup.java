// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Attributes of the node at a path and, if asked, its first block references. */
public final class Lookup {
    public static final int EXTENTS = 1;

    private Lookup() {}

    /**
     * Request 32.
     *
     * @param path absolute path, UTF-8
     * @param flags EXTENTS or 0
     */
    public record Request(byte[] path, int flags) implements Message {
        @Override
        public MessageType type() {
            return MessageType.LOOKUP;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.bytes(Names.MAX_PATH), reader.u8());
        }
    }

    /**
     * Reply 32.
     *
     * @param status attributes
     * @param extents the first {@link io.crail.protocol.frame.ProtocolLimits#MAX_REFERENCES}
     *     extents, if asked
     */
    public record Reply(NodeStatus status, List<Extent> extents) implements Message {
        @Override
        public MessageType type() {
            return MessageType.LOOKUP;
        }

        @Override
        public void encode(WireWriter writer) {
            status.encode(writer);
            Fields.list(writer, extents, Extent.WIRE_SIZE, Extent::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    NodeStatus.decode(reader),
                    Fields.list(reader, Extent.WIRE_SIZE, Extent::decode));
        }
    }
}
