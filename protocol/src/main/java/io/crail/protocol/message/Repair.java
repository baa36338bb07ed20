// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Puts one thing right that AUDIT has shown. */
public final class Repair {
    /** Step: gives a block back that nobody has. */
    public static final int ORPHAN = 1;

    /** Step: deletes a node that has lost bytes. */
    public static final int LOST = 2;

    /** Step: sums up a container anew. */
    public static final int TOTALS = 3;

    /** Step: lets a storage server register and report all its generations again. Not logged. */
    public static final int REPORT = 4;

    private Repair() {}

    /**
     * Request 87.
     *
     * @param step which step
     * @param node the node or container; 0 for {@link #ORPHAN}
     * @param block the block, for {@link #ORPHAN} and {@link #LOST}; any block of the server, for
     *     {@link #REPORT}
     * @param length its size in bytes, for {@link #ORPHAN}
     * @param generation its generation, for {@link #ORPHAN} and {@link #LOST}
     */
    public record Request(int step, long node, BlockId block, int length, long generation)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.REPAIR;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.u8(step).i64(node);
            block.encode(writer);
            writer.i32(length).i64(generation);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.u8(),
                    reader.i64(),
                    BlockId.decode(reader),
                    reader.length32(),
                    reader.i64());
        }
    }

    /**
     * Reply 87.
     *
     * @param more nothing was done yet: the namenode has looked at a part of what it must look at,
     *     and goes on when it is asked the same again
     */
    public record Reply(boolean more) implements Message {
        @Override
        public MessageType type() {
            return MessageType.REPAIR;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bool(more);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.bool());
        }
    }
}
