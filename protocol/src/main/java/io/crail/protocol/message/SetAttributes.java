// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/** Changes attributes of a node. */
public final class SetAttributes {
    public static final int MODE = 1;
    public static final int STORAGE_CLASS = 2;
    public static final int MODIFIED = 4;
    public static final int ACCESSED = 8;
    public static final int LIFETIME = 16;
    public static final int OWNER = 32;
    public static final int GROUP = 64;

    /** The node is no longer bound to a session. */
    public static final int UNBIND = 128;

    private SetAttributes() {}

    /**
     * Request 37.
     *
     * @param path absolute path
     * @param mask which of the following are set
     * @param mode permission bits
     * @param storageClass class for data written from now on
     * @param modifiedMillis time of modification
     * @param accessedMillis time of access
     * @param lifetimeMillis time to live from now, -1 = none
     * @param owner owner
     * @param group group
     */
    public record Request(
            byte[] path,
            int mask,
            int mode,
            int storageClass,
            long modifiedMillis,
            long accessedMillis,
            long lifetimeMillis,
            String owner,
            String group)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.SET_ATTRIBUTES;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.u16(mask);
            writer.u16(mode);
            writer.u16(storageClass);
            writer.i64(modifiedMillis);
            writer.i64(accessedMillis);
            writer.i64(lifetimeMillis);
            writer.string(owner);
            writer.string(group);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.u16(),
                    reader.u16(),
                    reader.u16(),
                    reader.i64(),
                    reader.i64(),
                    reader.i64(),
                    reader.string(Names.MAX_NAME),
                    reader.string(Names.MAX_NAME));
        }
    }

    /**
     * Reply 37.
     *
     * @param status attributes after the change
     */
    public record Reply(NodeStatus status) implements Message {
        @Override
        public MessageType type() {
            return MessageType.SET_ATTRIBUTES;
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
