// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Grants blocks to write: to the holder of a lease, or for a value to be put. */
public final class Grant {
    private Grant() {}

    /**
     * Request 41.
     *
     * @param node FILE, or 0 for a value
     * @param handle handle of the lease, or 0 for a value
     * @param table for a value: path of its TABLE, else empty
     * @param bytesWanted bytes the blocks should hold
     * @param exact that is all there will be: fit tightly; else full-size blocks
     * @param excludedServers servers the client could not reach
     */
    public record Request(
            long node,
            long handle,
            byte[] table,
            long bytesWanted,
            boolean exact,
            int[] excludedServers)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.GRANT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(handle);
            writer.bytes(table);
            writer.i64(bytesWanted);
            writer.bool(exact);
            Fields.ints(writer, excludedServers);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i64(),
                    reader.i64(),
                    reader.bytes(Names.MAX_PATH),
                    reader.length64(),
                    reader.bool(),
                    Fields.ints(reader));
        }
    }

    /**
     * Reply 41.
     *
     * @param grants blocks, in the order in which to use them; may hold less than wanted
     */
    public record Reply(List<BlockReference> grants) implements Message {
        @Override
        public MessageType type() {
            return MessageType.GRANT;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.list(writer, grants, BlockReference.WIRE_SIZE, BlockReference::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Fields.list(reader, BlockReference.WIRE_SIZE, BlockReference::decode));
        }
    }
}
