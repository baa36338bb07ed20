// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.Xattrs;

/** Sets or removes an extended attribute. */
public final class SetXattr {
    /** Only if the node has no attribute of this name. */
    public static final int CREATE = 1;

    /** Only if the node has one. */
    public static final int REPLACE = 2;

    /** Remove it; the value is not used. Not together with the others. */
    public static final int REMOVE = 4;

    private SetXattr() {}

    /**
     * Request 45.
     *
     * @param path absolute path
     * @param name name with its namespace
     * @param flags the constants of this class, or-ed
     * @param value the value
     */
    public record Request(byte[] path, String name, int flags, byte[] value) implements Message {
        @Override
        public MessageType type() {
            return MessageType.SET_XATTR;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.string(name);
            writer.u8(flags);
            writer.bytes(value);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.string(Xattrs.MAX_NAME),
                    reader.u8(),
                    reader.bytes(0xFFFF));
        }
    }

    /**
     * Reply 45.
     *
     * @param existed whether the node had an attribute of this name before
     */
    public record Reply(boolean existed) implements Message {
        @Override
        public MessageType type() {
            return MessageType.SET_XATTR;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bool(existed);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.bool());
        }
    }
}
