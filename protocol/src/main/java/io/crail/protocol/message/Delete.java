// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/** Removes the node at a path. */
public final class Delete {
    private Delete() {}

    /**
     * Request 34.
     *
     * @param path absolute path, UTF-8; not the root
     * @param recursive remove a non-empty container with all below
     */
    public record Request(byte[] path, boolean recursive) implements Message {
        @Override
        public MessageType type() {
            return MessageType.DELETE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.bool(recursive);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.bytes(Names.MAX_PATH), reader.bool());
        }
    }

    /**
     * Reply 34.
     *
     * @param node id of the removed node
     */
    public record Reply(long node) implements Message {
        @Override
        public MessageType type() {
            return MessageType.DELETE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.i64());
        }
    }
}
