// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/** The extents of a STREAM from a record on; waits for records that are still to come. */
public final class StreamExtents {
    /** Bytes of a {@link Run} on the wire. */
    public static final int RUN_SIZE = 28;

    private StreamExtents() {}

    /**
     * Request 49.
     *
     * @param node STREAM
     * @param offset first record wanted
     * @param skippedBlocks blocks of the first run that need not be answered
     * @param limit blocks wanted, at most 64; 0 = neither runs nor waiting, only the range
     * @param inlineBytes inline frames wanted at most, but for the first run
     * @param maxWaitMillis how long to wait for the record at {@code offset}; bounded by the server
     */
    public record Request(
            long node,
            long offset,
            int skippedBlocks,
            int limit,
            int inlineBytes,
            int maxWaitMillis)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.STREAM_EXTENTS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(offset);
            writer.i32(skippedBlocks);
            writer.u16(limit);
            writer.i32(inlineBytes);
            writer.i32(maxWaitMillis);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i64(),
                    reader.length64(),
                    reader.length32(),
                    reader.u16(),
                    reader.length32(),
                    reader.length32());
        }
    }

    /**
     * Records in a row that were appended together.
     *
     * @param offset of its first record; behind the first one wanted only if that is inline
     * @param position of its first frame among all frames of the stream
     * @param records how many
     * @param bytes of their frames
     * @param blocks in which the frames lie; 0 = they are the next bytes of the payload
     */
    public record Run(long offset, long position, int records, int bytes, int blocks) {
        void encode(WireWriter writer) {
            writer.i64(offset);
            writer.i64(position);
            writer.i32(records);
            writer.i32(bytes);
            writer.i32(blocks);
        }

        static Run decode(WireReader reader) throws ProtocolException {
            return new Run(
                    reader.length64(),
                    reader.length64(),
                    reader.length32(),
                    reader.length32(),
                    reader.length32());
        }
    }

    /**
     * Reply 49. The payload is the frames of the inline runs, in order.
     *
     * @param status attributes
     * @param first offset of the first record that is still there
     * @param next offset of the next record to come
     * @param runs from the one that holds the record wanted on; empty if there is none
     * @param extents blocks of the runs, in order; the last run's may be cut off by the limit. The
     *     offset of an extent is a position among all frames of the stream
     */
    public record Reply(
            NodeStatus status, long first, long next, List<Run> runs, List<Extent> extents)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.STREAM_EXTENTS;
        }

        @Override
        public void encode(WireWriter writer) {
            status.encode(writer);
            writer.i64(first);
            writer.i64(next);
            Fields.list(writer, runs, RUN_SIZE, Run::encode);
            Fields.list(writer, extents, Extent.WIRE_SIZE, Extent::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    NodeStatus.decode(reader),
                    reader.length64(),
                    reader.length64(),
                    Fields.list(reader, RUN_SIZE, Run::decode),
                    Fields.list(reader, Extent.WIRE_SIZE, Extent::decode));
        }
    }
}
