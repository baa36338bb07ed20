// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Says whether a storage server gets new blocks. Remembered over restarts of both. */
public final class Drain {
    private Drain() {}

    /**
     * Request 82.
     *
     * @param server server id
     * @param draining true: no new blocks, so that it can be emptied; false: as any other again
     */
    public record Request(int server, boolean draining) implements Message {
        @Override
        public MessageType type() {
            return MessageType.DRAIN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.bool(draining);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i32(), reader.bool());
        }
    }

    /**
     * Reply 82.
     *
     * @param state code of the {@link ServerState} it is in now
     */
    public record Reply(int state) implements Message {
        @Override
        public MessageType type() {
            return MessageType.DRAIN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.u8(state);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.u8());
        }
    }
}
