// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Swaps the block of one extent for another one that holds a copy of its bytes. */
public final class Move {
    private Move() {}

    /**
     * Request 84.
     *
     * @param node node id
     * @param offset where the extent begins in the node
     * @param from the block it lies in
     * @param generation generation of that block; another one, and there is nothing to move
     * @param to the block with the copy, granted to this session, used to the same length
     */
    public record Request(long node, long offset, BlockId from, long generation, CommittedExtent to)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.MOVE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(offset);
            from.encode(writer);
            writer.i64(generation);
            to.encode(writer);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i64(),
                    reader.length64(),
                    BlockId.decode(reader),
                    reader.i64(),
                    CommittedExtent.decode(reader));
        }
    }

    /** Reply 84. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.MOVE;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
