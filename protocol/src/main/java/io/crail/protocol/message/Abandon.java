// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Gives a lease back without committing; its grants are freed. */
public final class Abandon {
    private Abandon() {}

    /**
     * Request 43.
     *
     * @param node FILE
     * @param handle handle of the lease
     * @param deleteIfEmpty remove the node if this lease created it and nothing was ever committed
     */
    public record Request(long node, long handle, boolean deleteIfEmpty) implements Message {
        @Override
        public MessageType type() {
            return MessageType.ABANDON;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(handle);
            writer.bool(deleteIfEmpty);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i64(), reader.i64(), reader.bool());
        }
    }

    /** Reply 43. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.ABANDON;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
