// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Registers a handle on a FILE for reading, or takes the lease for appending. */
public final class Open {
    public static final int READ = 1;
    public static final int APPEND = 2;

    private static final byte[] NO_PATH = {};

    private Open() {}

    /**
     * Request 39.
     *
     * @param path absolute path; empty = the node is named by its id
     * @param mode READ or APPEND
     * @param bytesWanted APPEND: bytes of the first grant, 0 = none
     * @param node READ: id of the node, if the path is empty; else 0
     */
    public record Request(byte[] path, int mode, long bytesWanted, long node) implements Message {
        /** By path. */
        public Request(byte[] path, int mode, long bytesWanted) {
            this(path, mode, bytesWanted, 0);
        }

        /** By id, for reading. */
        public Request(long node) {
            this(NO_PATH, READ, 0, node);
        }

        @Override
        public MessageType type() {
            return MessageType.OPEN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.u8(mode);
            writer.i64(bytesWanted);
            writer.i64(node);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.u8(),
                    reader.length64(),
                    reader.remaining() > 0 ? reader.i64() : 0);
        }
    }

    /**
     * Reply 39.
     *
     * @param handle to be closed by a keep-alive (READ) or a commit with CLOSE (APPEND)
     * @param status attributes
     * @param extents READ: the first 64; APPEND: the last extent if its block may be continued,
     *     with the right to write
     * @param grants APPEND: granted blocks
     */
    public record Reply(
            long handle, NodeStatus status, List<Extent> extents, List<BlockReference> grants)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.OPEN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(handle);
            status.encode(writer);
            Fields.list(writer, extents, Extent.WIRE_SIZE, Extent::encode);
            Fields.list(writer, grants, BlockReference.WIRE_SIZE, BlockReference::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i64(),
                    NodeStatus.decode(reader),
                    Fields.list(reader, Extent.WIRE_SIZE, Extent::decode),
                    Fields.list(reader, BlockReference.WIRE_SIZE, BlockReference::decode));
        }
    }
}
