// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Second exchange where the hello was answered with a challenge: the caller's proof. */
public final class Authenticate {
    private static final int MAX_PROOF = 64;

    private Authenticate() {}

    /**
     * Request 3.
     *
     * @param proof that the caller knows the secret
     */
    public record Request(byte[] proof) implements Message {
        @Override
        public MessageType type() {
            return MessageType.AUTHENTICATE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(proof);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.bytes(MAX_PROOF));
        }
    }

    /** Reply 3: the hello is complete. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.AUTHENTICATE;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
