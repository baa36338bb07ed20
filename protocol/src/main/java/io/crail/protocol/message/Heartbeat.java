// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Shows that a storage server lives. */
public final class Heartbeat {
    private Heartbeat() {}

    /**
     * Request 98.
     *
     * @param server server id
     * @param connections open client connections
     * @param inFlight requests being served
     * @param bytesRead since start
     * @param bytesWritten since start
     */
    public record Request(
            int server, long connections, long inFlight, long bytesRead, long bytesWritten)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.HEARTBEAT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.i64(connections);
            writer.i64(inFlight);
            writer.i64(bytesRead);
            writer.i64(bytesWritten);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i32(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64());
        }
    }

    /**
     * Reply 98.
     *
     * @param tiers whether the cluster has storage of several classes, so that there is something
     *     to be moved between them
     */
    public record Reply(boolean tiers) implements Message {
        @Override
        public MessageType type() {
            return MessageType.HEARTBEAT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bool(tiers);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.remaining() > 0 && reader.bool());
        }
    }
}
