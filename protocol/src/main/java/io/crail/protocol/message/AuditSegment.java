// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/**
 * What a storage server says of its blocks itself, from their control data, page by page. It knows
 * generations, who holds what, and what it is to free; what is free, granted or committed only the
 * namenode knows.
 */
public final class AuditSegment {
    /** Part: the slots of all segments. */
    public static final int SLOTS = 1;

    /** Part: what processes on the server's host have pinned. */
    public static final int PINS = 2;

    /** A reply looks at no more slots than this: 64 MiB of blocks. */
    public static final int MAX_SLOTS = 16_384;

    /** A reply has no more runs than this. */
    public static final int MAX_RUNS = 2000;

    /** A reply has no more pins than this. */
    public static final int MAX_PINS = 2000;

    /** Flag of slots: they have stored checksums. */
    public static final int CHECKSUMS = 1;

    /** Flag of slots: a block begins here that is being freed, and somebody may hold it. */
    public static final int REVOKING = 2;

    /** Flag of slots: as {@link #REVOKING}, and what holds it is a pin. */
    public static final int QUARANTINED = 4;

    private AuditSegment() {}

    /**
     * Slots in a row of which the same is to be said.
     *
     * @param generation their generation words
     * @param record index of the first one
     * @param slots how many they are
     * @param flags {@link #CHECKSUMS}, {@link #REVOKING}, {@link #QUARANTINED}
     */
    public record Run(long generation, int record, int slots, int flags) {
        public static final int WIRE_SIZE = 20;

        public void encode(WireWriter writer) {
            writer.i64(generation).i32(record).i32(slots).u8(flags).u8(0).u16(0);
        }

        public static Run decode(WireReader reader) throws ProtocolException {
            return new Run(reader.i64(), reader.length32(), reader.length32(), reader.u8());
        }

        /** Index of the first slot behind it. */
        public int end() {
            return record + slots;
        }
    }

    /**
     * A block that a process on the server's host reads or writes in place.
     *
     * @param session session of the process
     * @param generation under which it holds the block
     * @param segment segment of the block
     * @param record its record
     */
    public record Pin(long session, long generation, int segment, int record) {
        public static final int WIRE_SIZE = 24;

        public void encode(WireWriter writer) {
            writer.i64(session).i64(generation).i32(segment).i32(record);
        }

        public static Pin decode(WireReader reader) throws ProtocolException {
            return new Pin(reader.i64(), reader.i64(), reader.length32(), reader.length32());
        }
    }

    /**
     * Where a page begins.
     *
     * @param from segment in the upper half and record in the lower one; or a session
     * @param within of a session, the segment and record to go on with; else 0
     */
    public record Position(long from, long within) {
        public static final Position START = new Position(0, 0);

        /** The page that begins at a record. */
        public static Position of(int segment, int record) {
            return new Position(place(segment, record), 0);
        }

        void encode(WireWriter writer) {
            writer.i64(from).i64(within);
        }

        static Position decode(WireReader reader) throws ProtocolException {
            return new Position(reader.i64(), reader.i64());
        }
    }

    /** Segment and record in one number, in the order of a server's memory. */
    public static long place(int segment, int record) {
        return ((long) segment << 32) | record;
    }

    /**
     * Request 86.
     *
     * @param permit of the reply to AUDIT for this server
     * @param part {@link #SLOTS} or {@link #PINS}
     * @param position {@link Position#START}, then {@code next} of the last reply
     * @param slots so many slots are enough, 1 to {@link #MAX_SLOTS}
     */
    public record Request(long permit, int part, Position position, int slots) implements Message {
        @Override
        public MessageType type() {
            return MessageType.AUDIT_SEGMENT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(permit).u8(part);
            position.encode(writer);
            writer.i32(slots);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i64(), reader.u8(), Position.decode(reader), reader.length32());
        }

        /** For messages: the permit is left out. */
        @Override
        public String toString() {
            return "AUDIT_SEGMENT part " + part + " from " + position;
        }
    }

    /**
     * Reply 86.
     *
     * @param end whether this was the last page of the part
     * @param next where the next page begins
     * @param segment the segment that {@code runs} are of
     * @param incarnation its incarnation; 0: there is no segment at or behind the position
     * @param dataBytes its size
     * @param runs slots from the position on, without gaps
     * @param pins what is pinned; one may come in two pages
     */
    public record Reply(
            boolean end,
            Position next,
            int segment,
            int incarnation,
            long dataBytes,
            List<Run> runs,
            List<Pin> pins)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.AUDIT_SEGMENT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bool(end);
            next.encode(writer);
            writer.i32(segment).i32(incarnation).i64(dataBytes);
            Fields.list(writer, runs, Run.WIRE_SIZE, Run::encode);
            Fields.list(writer, pins, Pin.WIRE_SIZE, Pin::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.bool(),
                    Position.decode(reader),
                    reader.length32(),
                    reader.i32(),
                    reader.length64(),
                    Fields.list(reader, Run.WIRE_SIZE, Run::decode),
                    Fields.list(reader, Pin.WIRE_SIZE, Pin::decode));
        }
    }
}
