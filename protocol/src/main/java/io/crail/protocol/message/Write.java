// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Writes the payload into one block. Repeating it is harmless. */
public final class Write {
    private Write() {}

    /**
     * Request 129.
     *
     * @param block with WRITE right
     * @param offset first byte, within the block
     * @param checksums salted checksums to store for the chunks touched, from the one that holds
     *     offset; empty = none
     */
    public record Request(BlockReference block, int offset, int[] checksums) implements Message {
        @Override
        public MessageType type() {
            return MessageType.WRITE;
        }

        @Override
        public void encode(WireWriter writer) {
            block.encode(writer);
            writer.i32(offset);
            Fields.ints(writer, checksums);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    BlockReference.decode(reader), reader.length32(), Fields.ints(reader));
        }
    }

    /** Reply 129. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.WRITE;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
