// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/** Removes a key. */
public final class Remove {
    private Remove() {}

    /**
     * Request 66.
     *
     * @param table path of the TABLE
     * @param key the key
     * @param condition NONE or IF_VERSION
     * @param expectedVersion for IF_VERSION
     */
    public record Request(byte[] table, byte[] key, int condition, long expectedVersion)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.REMOVE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(table);
            writer.bytes(key);
            writer.u8(condition);
            writer.i64(expectedVersion);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.bytes(Names.MAX_KEY),
                    reader.u8(),
                    reader.i64());
        }
    }

    /**
     * Reply 66.
     *
     * @param existed whether there was a value
     */
    public record Reply(boolean existed) implements Message {
        @Override
        public MessageType type() {
            return MessageType.REMOVE;
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
