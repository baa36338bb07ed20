// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Ends the session: leases, handles and grants are released, session-bound nodes removed. */
public final class SessionClose {
    private SessionClose() {}

    /** Request 17. */
    public record Request() implements Message {
        @Override
        public MessageType type() {
            return MessageType.SESSION_CLOSE;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Request decode(WireReader reader) {
            return new Request();
        }
    }

    /** Reply 17. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.SESSION_CLOSE;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
