// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Read;
import io.crail.protocol.message.Write;
import io.crail.storage.block.BlockTable;
import io.crail.storage.segment.Segment;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * READ and WRITE of one connection. A reference on the block is held from the check of the request
 * to its last byte: for a large READ until the kernel has taken the answer, for a small one until
 * the answer is copied, for a WRITE until the payload is in the segment and its checksums are
 * stored.
 *
 * <p>Used by the connection's event loop only.
 */
final class Requests {
    /** Where answers go. */
    interface Output {
        /** Answers that leave when all that has arrived was looked at. */
        AnswerBatch batch();

        /**
         * Sends a buffer behind the batch, and takes over one reference to it; {@code whenTaken}
         * runs when it was sent, or never will.
         */
        void send(ByteBuf payload, Runnable whenTaken);

        /** Of the event loop that everything here runs in. */
        LoopCounters counters();
    }

    /** Copying so much costs less than what sending it from the segment takes besides. */
    private static final int SMALL = 16 << 10;

    private final ServiceState state;
    private final Output output;
    private final Holds holds;

    Requests(ServiceState state, Output output, Holds holds) {
        this.state = state;
        this.output = output;
        this.holds = holds;
    }

    /** Serves a READ, whose fields are in {@code control}. */
    void read(AccessCheck access, Answers.Correlation to, WireReader control)
            throws CrailException {
        Read.Request request = Read.Request.decode(control);
        BlockReference reference = request.block();
        BlockTable table = access.table(reference, BlockReference.READ);
        int offset = request.offset();
        int length = request.length();
        AccessCheck.checkRange(reference, offset, length);
        int checksums = 0;
        if ((request.flags() & Read.CHECKSUMS) != 0) {
            if (offset % BlockGeometry.CHUNK_SIZE != 0) {
                throw new InvalidArgumentException(
                        "checksums of "
                                + reference
                                + " from offset "
                                + offset
                                + ", which is no multiple of "
                                + BlockGeometry.CHUNK_SIZE);
            }
            checksums = AccessCheck.chunks(offset, length);
        }
        if (length <= SMALL) {
            copyOut(to, table, request, checksums);
        } else {
            sendFromSegment(to, table, request, checksums);
        }
        state.bytesRead.add(length);
    }

    /** The answer is a copy, so that nothing refers to the block when this returns. */
    private void copyOut(
            Answers.Correlation to, BlockTable table, Read.Request request, int checksums)
            throws StaleReferenceException {
        BlockReference reference = request.block();
        int slot = reference.record();
        if (!table.acquire(slot, reference.generation())) {
            throw stale(reference);
        }
        LoopCounters counters = output.counters();
        long start = counters.readBegins();
        try {
            Segment segment = table.segment();
            ByteBuffer payload =
                    segment.data(reference.offset() + request.offset(), request.length());
            Answers.read(output.batch(), to, segment, firstSlot(request), checksums, payload);
        } finally {
            table.release(slot);
        }
        counters.readEnds(start);
    }

    private void sendFromSegment(
            Answers.Correlation to, BlockTable table, Read.Request request, int checksums)
            throws StaleReferenceException {
        BlockReference reference = request.block();
        int length = request.length();
        Holds.Hold hold = acquire(table, reference);
        LoopCounters counters = output.counters();
        long start = counters.readBegins();
        Segment segment = table.segment();
        Answers.readHead(output.batch(), to, segment, firstSlot(request), checksums, length);
        output.send(
                Unpooled.wrappedBuffer(segment.data(reference.offset() + request.offset(), length)),
                () -> {
                    holds.release(hold);
                    counters.readEnds(start);
                });
    }

    private static int firstSlot(Read.Request request) {
        return request.block().record() + request.offset() / BlockGeometry.CHUNK_SIZE;
    }

    /** Starts a WRITE, whose fields are in {@code control}; returns where its payload goes. */
    Payload write(AccessCheck access, Answers.Correlation to, WireReader control, int payloadLength)
            throws CrailException {
        Write.Request request = Write.Request.decode(control);
        BlockReference reference = request.block();
        BlockTable table = access.table(reference, BlockReference.WRITE);
        int offset = request.offset();
        AccessCheck.checkRange(reference, offset, payloadLength);
        int[] checksums = request.checksums();
        if (checksums.length != 0
                && checksums.length != AccessCheck.chunks(offset, payloadLength)) {
            throw new InvalidArgumentException(
                    checksums.length
                            + " checksums for "
                            + payloadLength
                            + " bytes at offset "
                            + offset
                            + " of "
                            + reference);
        }
        Holds.Hold hold = acquire(table, reference);
        int firstSlot = reference.record() + offset / BlockGeometry.CHUNK_SIZE;
        long start = output.counters().writeBegins();
        return Payload.to(
                table.segment().data(reference.offset() + offset, payloadLength),
                () -> {
                    written(to, reference, table, firstSlot, checksums, payloadLength, hold);
                    output.counters().writeEnds(start);
                },
                () -> holds.release(hold));
    }

    private void written(
            Answers.Correlation to,
            BlockReference reference,
            BlockTable table,
            int firstSlot,
            int[] checksums,
            int length,
            Holds.Hold hold) {
        // The reference is still held: even when the block was revoked meanwhile, it is nobody
        // else's yet. But then the writer should hear that its bytes are of no use.
        boolean current = hold.isCurrent();
        if (current) {
            for (int i = 0; i < checksums.length; i++) {
                table.segment().setChecksum(firstSlot + i, checksums[i]);
            }
        }
        holds.release(hold);
        if (current) {
            state.bytesWritten.add(length);
            Answers.empty(output.batch(), to);
        } else {
            Answers.error(output.batch(), to, stale(reference));
        }
    }

    private Holds.Hold acquire(BlockTable table, BlockReference reference)
            throws StaleReferenceException {
        Holds.@Nullable Hold hold =
                holds.acquire(table, reference.record(), reference.generation());
        if (hold == null) {
            throw stale(reference);
        }
        return hold;
    }

    private static StaleReferenceException stale(BlockReference reference) {
        return new StaleReferenceException(reference + " was freed or granted again");
    }

    /** Fails if a request that has none came with a payload: then the peer is confused. */
    static void checkNoPayload(ByteBuffer view, int at) throws ProtocolException {
        int payload = FrameHeader.payloadLength(view, at);
        if (payload != 0) {
            throw new ProtocolException(
                    "request of type "
                            + FrameHeader.type(view, at)
                            + " with a payload of "
                            + payload
                            + " bytes");
        }
    }
}
