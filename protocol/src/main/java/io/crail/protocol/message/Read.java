// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Reads bytes of one block, which follow as payload, or the checksums kept of them. */
public final class Read {
    /** Answer checksums; offset must be a multiple of the chunk size. */
    public static final int CHECKSUMS = 1;

    /** With CHECKSUMS: leave out the bytes. Older servers answer them nevertheless. */
    public static final int NO_BYTES = 2;

    private Read() {}

    /**
     * Request 128.
     *
     * @param block with READ right
     * @param offset first byte, within the block
     * @param length bytes wanted
     * @param flags CHECKSUMS, NO_BYTES
     */
    public record Request(BlockReference block, int offset, int length, int flags)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.READ;
        }

        @Override
        public void encode(WireWriter writer) {
            block.encode(writer);
            writer.i32(offset);
            writer.i32(length);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    BlockReference.decode(reader),
                    reader.length32(),
                    reader.length32(),
                    reader.u8());
        }
    }

    /**
     * Reply 128.
     *
     * @param checksums stored (salted) checksums of all chunks touched, if asked
     */
    public record Reply(int[] checksums) implements Message {
        @Override
        public MessageType type() {
            return MessageType.READ;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.ints(writer, checksums);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Fields.ints(reader));
        }
    }
}
