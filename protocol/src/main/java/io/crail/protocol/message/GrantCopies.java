// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/** Grants a block for the copy of each of many extents, as a mover is about to make them. */
public final class GrantCopies {
    /** Copies in one request: 64 MiB in blocks of 128 KiB. */
    public static final int MAX_COPIES = 512;

    /** The last storage class there is. */
    public static final int ANY_CLASS = 255;

    private GrantCopies() {}

    /**
     * One copy. 12 bytes on the wire.
     *
     * @param node whose bytes they are
     * @param length bytes that its block shall have room for, a block size
     */
    public record Copy(long node, int length) {
        public static final int WIRE_SIZE = 12;

        public void encode(WireWriter writer) {
            writer.i64(node).i32(length);
        }

        public static Copy decode(WireReader reader) throws ProtocolException {
            return new Copy(reader.i64(), reader.length32());
        }
    }

    /**
     * Request 91.
     *
     * @param firstClass no class before this one, nor before that of a node
     * @param lastClass no class behind this one
     * @param copies what is to be copied, in the order in which it will be written
     */
    public record Request(int firstClass, int lastClass, List<Copy> copies) implements Message {
        @Override
        public MessageType type() {
            return MessageType.GRANT_COPIES;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.u8(firstClass);
            writer.u8(lastClass);
            Fields.list(writer, copies, Copy.WIRE_SIZE, Copy::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.u8(), reader.u8(), Fields.list(reader, Copy.WIRE_SIZE, Copy::decode));
        }
    }

    /**
     * Reply 91.
     *
     * @param statuses for each copy 0, or the error code for which it has no block
     * @param grants a block for each copy of status 0, in their order; smaller than asked for if
     *     there is no other
     */
    public record Reply(int[] statuses, List<BlockReference> grants) implements Message {
        @Override
        public MessageType type() {
            return MessageType.GRANT_COPIES;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.ints(writer, statuses);
            Fields.list(writer, grants, BlockReference.WIRE_SIZE, BlockReference::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    Fields.ints(reader),
                    Fields.list(reader, BlockReference.WIRE_SIZE, BlockReference::decode));
        }
    }
}
