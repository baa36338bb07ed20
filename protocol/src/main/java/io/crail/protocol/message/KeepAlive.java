// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/**
 * Shows that the client lives, and carries what need not hurry. A mutation (flag in the header)
 * when a list is not empty.
 */
public final class KeepAlive {
    private KeepAlive() {}

    /**
     * Request 18.
     *
     * @param closedHandles handles to close
     * @param returned unused granted blocks
     */
    public record Request(long[] closedHandles, List<BlockId> returned) implements Message {
        @Override
        public MessageType type() {
            return MessageType.KEEP_ALIVE;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.longs(writer, closedHandles);
            Fields.list(writer, returned, BlockId.WIRE_SIZE, BlockId::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    Fields.longs(reader), Fields.list(reader, BlockId.WIRE_SIZE, BlockId::decode));
        }
    }

    /**
     * Reply 18.
     *
     * @param serverTableVersion to be compared with the table the client holds
     */
    public record Reply(long serverTableVersion) implements Message {
        @Override
        public MessageType type() {
            return MessageType.KEEP_ALIVE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(serverTableVersion);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.i64());
        }
    }
}
