// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * The client of this session maps nothing any more: every pin in its session file is void, and the
 * server removes the file. Never sent while a copy or a view is open.
 */
public final class Detach {
    private Detach() {}

    /** Request 131. */
    public record Request() implements Message {
        @Override
        public MessageType type() {
            return MessageType.DETACH;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Request decode(WireReader reader) {
            return new Request();
        }
    }

    /** Reply 131. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.DETACH;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
