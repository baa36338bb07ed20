// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Does nothing, on any server: measures a round trip. */
public final class Ping {
    private Ping() {}

    /** Request 2. */
    public record Request() implements Message {
        @Override
        public MessageType type() {
            return MessageType.PING;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Request decode(WireReader reader) {
            return new Request();
        }
    }

    /** Reply 2. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.PING;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
