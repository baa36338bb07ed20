// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Makes a STREAM. */
public final class StreamCreate {
    private StreamCreate() {}

    /**
     * Request 53. The oldest records go when a limit is exceeded; 0 = no such limit.
     *
     * @param maxBytes bytes of frames kept
     * @param maxRecords records kept
     * @param maxAgeMillis how long records are kept
     * @param create path and attributes; its node type is STREAM
     */
    public record Request(long maxBytes, long maxRecords, long maxAgeMillis, Create.Request create)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.STREAM_CREATE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(maxBytes);
            writer.i64(maxRecords);
            writer.i64(maxAgeMillis);
            create.encode(writer);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    Create.Request.decode(reader));
        }
    }

    /**
     * Reply 53.
     *
     * @param create as of CREATE; without handle and grants
     */
    public record Reply(Create.Reply create) implements Message {
        @Override
        public MessageType type() {
            return MessageType.STREAM_CREATE;
        }

        @Override
        public void encode(WireWriter writer) {
            create.encode(writer);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Create.Reply.decode(reader));
        }
    }
}
