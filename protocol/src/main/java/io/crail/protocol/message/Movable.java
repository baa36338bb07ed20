// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * What lies on one storage server, or below a path and not in a storage class, page by page, so
 * that it can be moved elsewhere.
 */
public final class Movable {
    private Movable() {}

    /**
     * Whose an extent is.
     *
     * @param node node id
     * @param path its path, for messages
     * @param checksums whether the node keeps checksums
     */
    public record Owner(long node, String path, boolean checksums) {
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.string(path);
            writer.bool(checksums);
        }

        public static Owner decode(WireReader reader) throws ProtocolException {
            return new Owner(reader.i64(), reader.string(Names.MAX_PATH), reader.bool());
        }
    }

    /**
     * Request 83.
     *
     * @param server server id, or 0: what lies below a path
     * @param cursor 0 at first, then what the last reply said
     * @param limit most extents in the reply, up to 64
     * @param path with server 0: of the node at and below which extents are looked for
     * @param storageClass with server 0: the class in which extents are in place already
     */
    public record Request(int server, long cursor, int limit, byte[] path, int storageClass)
            implements Message {
        private static final byte[] NO_PATH = {};

        /** Asks for what lies on a server. */
        public Request(int server, long cursor, int limit) {
            this(server, cursor, limit, NO_PATH, 0);
        }

        @Override
        public MessageType type() {
            return MessageType.MOVABLE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.i64(cursor);
            writer.i32(limit);
            writer.bytes(path);
            writer.u8(storageClass);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i32(),
                    reader.length64(),
                    reader.length32(),
                    reader.remaining() > 0 ? reader.bytes(Names.MAX_PATH) : NO_PATH,
                    reader.remaining() > 0 ? reader.u8() : 0);
        }
    }

    /**
     * Reply 83.
     *
     * @param next cursor of the next page, 0 = this was the last. The same cursor again: this part
     *     of the namespace holds more, which shows when these have been moved
     * @param busy extents passed over because their files are being written
     * @param owners whose each extent is
     * @param extents the extents, with READ right
     * @param pinned with server 0: extents passed over because the class of their nodes does not
     *     allow the one asked for
     */
    public record Reply(long next, int busy, List<Owner> owners, List<Extent> extents, int pinned)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.MOVABLE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(next);
            writer.i32(busy);
            Fields.records(writer, owners, Owner::encode);
            Fields.list(writer, extents, Extent.WIRE_SIZE, Extent::encode);
            writer.i32(pinned);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.length64(),
                    reader.length32(),
                    Fields.records(reader, Owner::decode),
                    Fields.list(reader, Extent.WIRE_SIZE, Extent::decode),
                    reader.remaining() > 0 ? reader.length32() : 0);
        }
    }
}
