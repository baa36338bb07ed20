// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/**
 * Announces one filled segment with its generations, in parts if need be. Allocation starts with
 * the last part.
 */
public final class RegisterSegment {
    private RegisterSegment() {}

    /**
     * Slots with one counter.
     *
     * @param slots how many
     * @param counter lower half of their generation
     */
    public record Run(int slots, int counter) {
        public void encode(WireWriter writer) {
            writer.i32(slots);
            writer.i32(counter);
        }

        public static Run decode(WireReader reader) throws ProtocolException {
            return new Run(reader.length32(), reader.i32());
        }
    }

    /**
     * Request 97.
     *
     * @param server server id
     * @param segment number of the segment
     * @param incarnation its incarnation
     * @param dataBytes its size
     * @param firstSlot slot of the first run
     * @param last whether this part completes the report
     * @param runs consecutive slots with equal counters
     */
    public record Request(
            int server,
            int segment,
            int incarnation,
            long dataBytes,
            int firstSlot,
            boolean last,
            List<Run> runs)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.REGISTER_SEGMENT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.i32(segment);
            writer.i32(incarnation);
            writer.i64(dataBytes);
            writer.i32(firstSlot);
            writer.bool(last);
            Fields.records(writer, runs, Run::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i32(),
                    reader.length32(),
                    reader.i32(),
                    reader.length64(),
                    reader.length32(),
                    reader.bool(),
                    Fields.records(reader, Run::decode));
        }
    }

    /** Reply 97. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.REGISTER_SEGMENT;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
