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
import org.jspecify.annotations.Nullable;

/**
 * READ and WRITE of one connection. A reference on the block is held from the check of the request
 * to its last byte: for a READ until the kernel has taken the answer, for a WRITE until the payload
 * is in the segment and its checksums are stored.
 *
 * <p>Used by the connection's event loop only.
 */
final class Requests {
    /** Where answers go. */
    interface Output {
        /** Sends a buffer, of which it takes over one reference. */
        void send(ByteBuf answer);

        /**
         * Sends two buffers in a row; {@code whenTaken} runs when both were sent, or never will.
         */
        void send(ByteBuf header, ByteBuf payload, Runnable whenTaken);

        void sendError(Answers.Correlation to, CrailException error);

        io.netty.buffer.ByteBufAllocator allocator();

        /** Of the event loop that everything here runs in. */
        LoopCounters counters();
    }

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
        Segment memory = AccessCheck.memory(table, reference);
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
        boolean bytes = (request.flags() & Read.NO_BYTES) == 0;
        Holds.Hold hold = acquire(table, reference);
        ByteBuf header =
                Answers.read(
                        output.allocator(),
                        to,
                        table,
                        reference.record() + offset / BlockGeometry.CHUNK_SIZE,
                        checksums,
                        bytes ? length : 0);
        if (!bytes) {
            // The checksums were copied: nothing of the block is needed any more.
            holds.release(hold);
            output.send(header);
            return;
        }
        ByteBuf payload = Unpooled.wrappedBuffer(memory.data(reference.offset() + offset, length));
        state.bytesRead.add(length);
        LoopCounters counters = output.counters();
        long start = counters.readBegins();
        output.send(
                header,
                payload,
                () -> {
                    holds.release(hold);
                    counters.readEnds(start);
                });
    }

    /** Starts a WRITE, whose fields are in {@code control}; returns where its payload goes. */
    Payload write(AccessCheck access, Answers.Correlation to, WireReader control, int payloadLength)
            throws CrailException {
        Write.Request request = Write.Request.decode(control);
        BlockReference reference = request.block();
        BlockTable table = access.table(reference, BlockReference.WRITE);
        Segment memory = AccessCheck.memory(table, reference);
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
                memory.data(reference.offset() + offset, payloadLength),
                () -> {
                    written(to, reference, memory, firstSlot, checksums, payloadLength, hold);
                    output.counters().writeEnds(start);
                },
                () -> holds.release(hold));
    }

    private void written(
            Answers.Correlation to,
            BlockReference reference,
            Segment memory,
            int firstSlot,
            int[] checksums,
            int length,
            Holds.Hold hold) {
        // The reference is still held: even when the block was revoked meanwhile, it is nobody
        // else's yet. But then the writer should hear that its bytes are of no use.
        boolean current = hold.isCurrent();
        if (current) {
            for (int i = 0; i < checksums.length; i++) {
                memory.setChecksum(firstSlot + i, checksums[i]);
            }
        }
        holds.release(hold);
        if (current) {
            state.bytesWritten.add(length);
            output.send(Answers.empty(output.allocator(), to));
        } else {
            output.sendError(to, stale(reference));
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
    static void checkNoPayload(java.nio.ByteBuffer view, int at) throws ProtocolException {
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
