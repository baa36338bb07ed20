// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/** Moves a node to another name, atomically. Data does not move. */
public final class Rename {
    /** Replace an existing target of the same kind (a container only if empty). */
    public static final int REPLACE = 1;

    /** A node that was bound to a session no longer is, under its new name. */
    public static final int UNBIND = 2;

    private Rename() {}

    /**
     * Request 35.
     *
     * @param source absolute path
     * @param target absolute path; its parent must exist
     * @param flags REPLACE, UNBIND, or-ed
     */
    public record Request(byte[] source, byte[] target, int flags) implements Message {
        @Override
        public MessageType type() {
            return MessageType.RENAME;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(source);
            writer.bytes(target);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH), reader.bytes(Names.MAX_PATH), reader.u8());
        }
    }

    /**
     * Reply 35.
     *
     * @param status attributes of the moved node
     */
    public record Reply(NodeStatus status) implements Message {
        @Override
        public MessageType type() {
            return MessageType.RENAME;
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
