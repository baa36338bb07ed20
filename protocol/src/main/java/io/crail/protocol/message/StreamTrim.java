// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Removes the records of a STREAM before an offset. */
public final class StreamTrim {
    private StreamTrim() {}

    /**
     * Request 50.
     *
     * @param node STREAM
     * @param offset first record to keep
     */
    public record Request(long node, long offset) implements Message {
        @Override
        public MessageType type() {
            return MessageType.STREAM_TRIM;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(offset);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i64(), reader.length64());
        }
    }

    /**
     * Reply 50.
     *
     * @param first offset of the first record that is still there
     * @param next offset of the next record to come
     */
    public record Reply(long first, long next) implements Message {
        @Override
        public MessageType type() {
            return MessageType.STREAM_TRIM;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(first);
            writer.i64(next);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.length64(), reader.length64());
        }
    }
}
