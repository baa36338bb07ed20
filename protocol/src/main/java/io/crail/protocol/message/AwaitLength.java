// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Waits, within the deadline, until a FILE is longer than known, closed by its writer, or gone. */
public final class AwaitLength {
    private AwaitLength() {}

    /**
     * Request 44.
     *
     * @param node FILE
     * @param handle handle for reading, or 0
     * @param knownLength length the caller has seen
     * @param maxWaitMillis how long to wait; bounded by the server
     */
    public record Request(long node, long handle, long knownLength, int maxWaitMillis)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.AWAIT_LENGTH;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(handle);
            writer.i64(knownLength);
            writer.i32(maxWaitMillis);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i64(), reader.i64(), reader.length64(), reader.length32());
        }
    }

    /**
     * Reply 44.
     *
     * @param status attributes now
     */
    public record Reply(NodeStatus status) implements Message {
        @Override
        public MessageType type() {
            return MessageType.AWAIT_LENGTH;
        }

        @Override
        public void encode(WireWriter writer) {
            status.encode(writer);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(NodeStatus.decode(reader));
        }
    }
}
