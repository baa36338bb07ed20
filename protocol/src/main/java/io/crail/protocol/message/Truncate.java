// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/** Cuts a FILE. */
public final class Truncate {
    private Truncate() {}

    /**
     * Request 55.
     *
     * @param path absolute path
     * @param length new length, at most the present one
     * @param tailCrc CRC32C, unsalted, of the used bytes of the new last chunk, if the new end lies
     *     within an extent and within one of its chunks, and the file has checksums; else 0
     * @param version version of the file of which the caller has read that chunk
     */
    public record Request(byte[] path, long length, int tailCrc, long version) implements Message {
        @Override
        public MessageType type() {
            return MessageType.TRUNCATE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.i64(length);
            writer.i32(tailCrc);
            writer.i64(version);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH), reader.length64(), reader.i32(), reader.i64());
        }
    }

    /**
     * Reply 55.
     *
     * @param status attributes of the file, with its new length
     */
    public record Reply(NodeStatus status) implements Message {
        @Override
        public MessageType type() {
            return MessageType.TRUNCATE;
        }

        @Override
        public void encode(WireWriter writer) {
            status.encode(writer);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(NodeStatus.decode(reader));
        }
    }
}
