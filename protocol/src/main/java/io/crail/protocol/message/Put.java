// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Swaps a value in: its bytes as payload, or blocks written before. The last commit wins whole. */
public final class Put {
    private Put() {}

    /**
     * Request 65.
     *
     * @param table path of the TABLE
     * @param key the key
     * @param condition see {@link Conditions}
     * @param expectedVersion for IF_VERSION
     * @param lifetimeMillis time to live, -1 = none
     * @param form {@link Get#INLINE} (payload) or {@link Get#EXTENTS}
     * @param extents for EXTENTS: the blocks, in order
     * @param returned granted blocks that will not be used
     * @param nextBytes for EXTENTS: length of a further value for which blocks of this TABLE are
     *     wanted with the answer, 0 = none
     * @param excludedServers servers on which they shall not be
     */
    public record Request(
            byte[] table,
            byte[] key,
            int condition,
            long expectedVersion,
            long lifetimeMillis,
            int form,
            List<CommittedExtent> extents,
            List<BlockId> returned,
            long nextBytes,
            int[] excludedServers)
            implements Message {
        private static final int[] NONE = {};

        /** A put that asks for no further blocks. */
        public Request(
                byte[] table,
                byte[] key,
                int condition,
                long expectedVersion,
                long lifetimeMillis,
                int form,
                List<CommittedExtent> extents,
                List<BlockId> returned) {
            this(
                    table,
                    key,
                    condition,
                    expectedVersion,
                    lifetimeMillis,
                    form,
                    extents,
                    returned,
                    0,
                    NONE);
        }

        @Override
        public MessageType type() {
            return MessageType.PUT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(table);
            writer.bytes(key);
            writer.u8(condition);
            writer.i64(expectedVersion);
            writer.i64(lifetimeMillis);
            writer.u8(form);
            Fields.list(writer, extents, CommittedExtent.WIRE_SIZE, CommittedExtent::encode);
            Fields.list(writer, returned, BlockId.WIRE_SIZE, BlockId::encode);
            writer.i64(nextBytes);
            Fields.ints(writer, excludedServers);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.bytes(Names.MAX_KEY),
                    reader.u8(),
                    reader.i64(),
                    reader.i64(),
                    reader.u8(),
                    Fields.list(reader, CommittedExtent.WIRE_SIZE, CommittedExtent::decode),
                    Fields.list(reader, BlockId.WIRE_SIZE, BlockId::decode),
                    reader.remaining() > 0 ? reader.length64() : 0,
                    reader.remaining() > 0 ? Fields.ints(reader) : NONE);
        }
    }

    /**
     * Reply 65.
     *
     * @param node node id of the value
     * @param version its version
     * @param grants blocks for a further value, in the order in which to use them; may be none
     */
    public record Reply(long node, long version, List<BlockReference> grants) implements Message {
        @Override
        public MessageType type() {
            return MessageType.PUT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(version);
            Fields.list(writer, grants, BlockReference.WIRE_SIZE, BlockReference::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i64(),
                    reader.i64(),
                    reader.remaining() > 0
                            ? Fields.list(reader, BlockReference.WIRE_SIZE, BlockReference::decode)
                            : List.of());
        }
    }
}
