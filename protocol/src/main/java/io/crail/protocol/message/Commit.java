// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/** Makes written bytes part of a FILE and visible to all. */
public final class Commit {
    /** Gives the lease back; grants not committed are freed. */
    public static final int CLOSE = 1;

    private Commit() {}

    /**
     * Request 42.
     *
     * @param node FILE
     * @param handle handle of the lease
     * @param baseLength committed length before; anything else is LEASE_LOST
     * @param flags CLOSE or 0
     * @param extents what was written, contiguous from baseLength
     * @param returned granted blocks that will not be used
     */
    public record Request(
            long node,
            long handle,
            long baseLength,
            int flags,
            List<CommittedExtent> extents,
            List<BlockId> returned)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.COMMIT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(handle);
            writer.i64(baseLength);
            writer.u8(flags);
            Fields.list(writer, extents, CommittedExtent.WIRE_SIZE, CommittedExtent::encode);
            Fields.list(writer, returned, BlockId.WIRE_SIZE, BlockId::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i64(),
                    reader.i64(),
                    reader.length64(),
                    reader.u8(),
                    Fields.list(reader, CommittedExtent.WIRE_SIZE, CommittedExtent::decode),
                    Fields.list(reader, BlockId.WIRE_SIZE, BlockId::decode));
        }
    }

    /**
     * Reply 42.
     *
     * @param status attributes after the commit
     */
    public record Reply(NodeStatus status) implements Message {
        @Override
        public MessageType type() {
            return MessageType.COMMIT;
        }

        @Override
        public void encode(WireWriter writer) {
            status.encode(writer);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(NodeStatus.decode(reader));
        }
    }
}
