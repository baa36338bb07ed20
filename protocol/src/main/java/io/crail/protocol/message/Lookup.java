// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Attributes of the node at a path, or of an id, and, if asked, its first block references. */
public final class Lookup {
    public static final int EXTENTS = 1;

    private static final byte[] NO_PATH = {};

    private Lookup() {}

    /**
     * Request 32.
     *
     * @param path absolute path, UTF-8; empty = the node is named by its id
     * @param flags EXTENTS or 0
     * @param node id of the node, if the path is empty; else 0
     */
    public record Request(byte[] path, int flags, long node) implements Message {
        /** By path. */
        public Request(byte[] path, int flags) {
            this(path, flags, 0);
        }

        /** By id. */
        public Request(long node, int flags) {
            this(NO_PATH, flags, node);
        }

        @Override
        public MessageType type() {
            return MessageType.LOOKUP;
        }

        @Override
        public int sizeHint() {
            return 2 + path.length + 1 + 8;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.u8(flags);
            writer.i64(node);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.u8(),
                    reader.remaining() > 0 ? reader.i64() : 0);
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
