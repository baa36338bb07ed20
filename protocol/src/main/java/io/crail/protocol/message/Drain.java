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
     * @param force with draining: takes back what clients hold of it to write to, and ends the
     *     leases of files whose last block lies there, so that all of it can be moved
     */
    public record Request(int server, boolean draining, boolean force) implements Message {
        /** Takes nothing back. */
        public Request(int server, boolean draining) {
            this(server, draining, false);
        }

        @Override
        public MessageType type() {
            return MessageType.DRAIN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.bool(draining);
            writer.bool(force);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i32(), reader.bool(), reader.remaining() > 0 && reader.bool());
        }
    }

    /**
     * Reply 82.
     *
     * @param state code of the {@link ServerState} it is in now
     * @param revokedBytes bytes of granted blocks that were taken back
     * @param endedLeases leases that were ended
     */
    public record Reply(int state, long revokedBytes, int endedLeases) implements Message {
        @Override
        public MessageType type() {
            return MessageType.DRAIN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.u8(state);
            writer.i64(revokedBytes);
            writer.i32(endedLeases);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.u8(),
                    reader.remaining() > 0 ? reader.length64() : 0,
                    reader.remaining() > 0 ? reader.length32() : 0);
        }
    }
}
