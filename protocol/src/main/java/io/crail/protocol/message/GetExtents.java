// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/**
 * Further references of a node, by id, so that an unlinked node stays readable through a handle.
 */
public final class GetExtents {
    private GetExtents() {}

    /**
     * Request 40.
     *
     * @param node node id
     * @param handle handle, or 0 for a node that has a name
     * @param offset first byte wanted
     * @param limit extents wanted, at most 64
     */
    public record Request(long node, long handle, long offset, int limit) implements Message {
        @Override
        public MessageType type() {
            return MessageType.GET_EXTENTS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(handle);
            writer.i64(offset);
            writer.u16(limit);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i64(), reader.i64(), reader.length64(), reader.u16());
        }
    }

    /**
     * Reply 40.
     *
     * @param status attributes
     * @param extents extents from the one that holds the offset
     */
    public record Reply(NodeStatus status, List<Extent> extents) implements Message {
        @Override
        public MessageType type() {
            return MessageType.GET_EXTENTS;
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
