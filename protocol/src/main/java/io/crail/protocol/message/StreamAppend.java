// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/** Appends records to a STREAM: frames as payload, or blocks written before; grants blocks. */
public final class StreamAppend {
    private StreamAppend() {}

    /**
     * Request 48. Without extents the payload is the frames of the records.
     *
     * @param node STREAM
     * @param records how many records; 0 = only the grant is wanted
     * @param extents the blocks with their frames, in order; empty = the frames are the payload
     * @param returned granted blocks that will not be used
     * @param blocks how many blocks are wanted for further appends, at most 64
     * @param blockBytes what each of them shall hold
     * @param excludedServers ids of servers the client could not reach
     */
    public record Request(
            long node,
            int records,
            List<CommittedExtent> extents,
            List<BlockId> returned,
            int blocks,
            int blockBytes,
            int[] excludedServers)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.STREAM_APPEND;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i32(records);
            Fields.list(writer, extents, CommittedExtent.WIRE_SIZE, CommittedExtent::encode);
            Fields.list(writer, returned, BlockId.WIRE_SIZE, BlockId::encode);
            writer.u16(blocks);
            writer.i32(blockBytes);
            Fields.ints(writer, excludedServers);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i64(),
                    reader.length32(),
                    Fields.list(reader, CommittedExtent.WIRE_SIZE, CommittedExtent::decode),
                    Fields.list(reader, BlockId.WIRE_SIZE, BlockId::decode),
                    reader.u16(),
                    reader.length32(),
                    Fields.ints(reader));
        }
    }

    /**
     * Reply 48.
     *
     * @param offset of the first record; of the next one if none was appended
     * @param inlineRoom bytes that the stream still takes inline
     * @param grants blocks for further appends; may be fewer than wanted
     */
    public record Reply(long offset, int inlineRoom, List<BlockReference> grants)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.STREAM_APPEND;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(offset);
            writer.i32(inlineRoom);
            Fields.list(writer, grants, BlockReference.WIRE_SIZE, BlockReference::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.length64(),
                    reader.length32(),
                    Fields.list(reader, BlockReference.WIRE_SIZE, BlockReference::decode));
        }
    }
}
