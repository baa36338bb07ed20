// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.memory.DataBuffer;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.CompletionEntry;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.InitializeResponse;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.ReadyToTransfer;
import io.crail.nvmf.wire.pdu.ResponseCapsule;
import io.crail.nvmf.wire.pdu.TerminateRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a connection has to send. Answers wait until the end of the event loop's turn and leave in
 * one gathering write: headers from a small buffer, data from where the medium put it. What the
 * socket does not take stays, so memory is bounded by the slots of the queue. For the event loop.
 */
final class Transmitter {
    /** Of the connection that sends. */
    interface Source {
        /** SQHD of a completion. */
        int submissionHead();

        /** Whether a last C2HData may stand for a completion that says nothing but success. */
        boolean mayLeaveOutSuccess();

        /** An answer is on its way and its slot is free. */
        void onAnswered(Slot slot);

        /** The memory of a data buffer is not used any more. */
        void release(DataBuffer data);
    }

    /** Bytes to be written, and what they lie in if that is to be released then. */
    private record Piece(ByteBuffer bytes, @Nullable DataBuffer data) {}

    private static final int HEADER_BYTES = 16 << 10;
    private static final int MOST_PIECES = 64;

    /**
     * So much is written before the loop looks at what else there is. A host that takes its data as
     * fast as it is sent would be sent all that is there, and its next commands would lie unread
     * until then, with nothing to do for the medium.
     */
    private static final int MOST_BYTES = 256 << 10;

    /** An answer takes no more of the header buffer: C2HData, digest, response. */
    private static final int MOST_PER_ANSWER = 256;

    private final Source source;
    private final ByteBuffer headers = DataPool.aligned(HEADER_BYTES);
    private final ArrayDeque<Slot> waiting = new ArrayDeque<>();
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private final PduDigest digest = new PduDigest();
    private PduFraming framing = PduFraming.PLAIN;

    /** Where the headers begin that are not in a piece yet. */
    private int open;

    Transmitter(Source source) {
        this.source = source;
    }

    /** From now on PDUs are framed so. */
    void framing(PduFraming negotiated) {
        framing = negotiated;
    }

    boolean hasDataDigests() {
        return framing.dataDigest();
    }

    /** Sends the R2T or the answer of a slot. */
    void add(Slot slot) {
        waiting.add(slot);
    }

    boolean isEmpty() {
        return waiting.isEmpty() && pieces.isEmpty() && open == headers.position();
    }

    /** Answers ICReq. */
    void initialize(boolean headerDigest, boolean dataDigest, int maxData) {
        int at = headers.position();
        InitializeResponse.encode(headers, at, 0, headerDigest, dataDigest, maxData);
        headers.position(at + InitializeResponse.SIZE);
    }

    /**
     * Tells the peer why the connection ends, after what is on its way and instead of what waits;
     * if there is no room it just ends.
     */
    void terminate(MalformedPduException why, ByteBuffer faulty, int at, int length) {
        waiting.clear();
        int start = headers.position();
        if (headers.remaining() >= TerminateRequest.MAX_SIZE) {
            int size =
                    TerminateRequest.encode(
                            headers,
                            start,
                            PduType.C2H_TERM_REQ,
                            why.status(),
                            why.information(),
                            faulty,
                            at,
                            length);
            headers.position(start + size);
        }
    }

    /**
     * Writes what the socket takes, or a part of it, if it is much; {@link #isEmpty} tells.
     *
     * @return bytes written
     */
    long flush(GatheringByteChannel channel) throws IOException {
        long total = 0;
        while (total < MOST_BYTES) {
            encode();
            if (pieces.isEmpty()) {
                headers.clear();
                open = 0;
                return total;
            }
            long wanted = 0;
            List<ByteBuffer> views = new ArrayList<>(pieces.size());
            for (Piece each : pieces) {
                if (wanted >= MOST_BYTES || views.size() == MOST_PIECES) {
                    break;
                }
                views.add(each.bytes);
                wanted += each.bytes.remaining();
            }
            long count = write(channel, views, (int) Math.max(0, wanted - MOST_BYTES));
            total += count;
            dropWritten();
            if (count < wanted) {
                return total;
            }
        }
        return total;
    }

    /** Without so many bytes of the last one. */
    private static long write(GatheringByteChannel channel, List<ByteBuffer> views, int without)
            throws IOException {
        ByteBuffer last = views.get(views.size() - 1);
        int limit = last.limit();
        last.limit(limit - without);
        try {
            return channel.write(views.toArray(new ByteBuffer[0]));
        } finally {
            last.limit(limit);
        }
    }

    private void dropWritten() {
        while (!pieces.isEmpty() && !pieces.element().bytes.hasRemaining()) {
            DataBuffer data = pieces.remove().data;
            if (data != null) {
                source.release(data);
            }
        }
    }

    private void encode() {
        if (pieces.isEmpty() && open == headers.position()) {
            headers.clear();
            open = 0;
        }
        while (!waiting.isEmpty()
                && headers.remaining() >= MOST_PER_ANSWER
                && pieces.size() < MOST_PIECES) {
            encode(waiting.remove());
        }
        closeHeaders();
    }

    private void encode(Slot slot) {
        if (slot.asksForData) {
            slot.asksForData = false;
            if (slot.stage != Slot.Stage.AWAITING) {
                return; // its connection ends
            }
            int at = headers.position();
            Command command = slot.command;
            ReadyToTransfer.encode(
                    headers, at, framing, command.commandId(), command.slot(), 0, command.length());
            seal(at, PduType.R2T);
            return;
        }
        boolean said = slot.sendsData() && encodeData(slot);
        if (!said) {
            int at = headers.position();
            framing.encodeHeader(headers, at, PduType.CAPSULE_RESP, 0, 0);
            CompletionEntry.encode(
                    headers,
                    at + ResponseCapsule.COMPLETION_ENTRY,
                    slot.command.result(),
                    source.submissionHead(),
                    slot.command.commandId(),
                    slot.command.status());
            seal(at, PduType.CAPSULE_RESP);
        }
        source.onAnswered(slot);
    }

    private void seal(int at, PduType type) {
        headers.position(at + framing.sealHeader(headers, at, type, digest));
    }

    /** Sends the data of a command; true if that says that it succeeded, too. */
    private boolean encodeData(Slot slot) {
        Command command = slot.command;
        boolean success = source.mayLeaveOutSuccess() && command.result() == 0;
        int at = headers.position();
        DataPdu.encodeFromController(
                headers, at, framing, command.commandId(), 0, command.length(), true, success);
        seal(at, PduType.C2H_DATA);
        closeHeaders();
        ByteBuffer bytes = command.data().slice(command.dataOffset(), command.length());
        pieces.add(new Piece(bytes, command.takeData()));
        if (framing.dataDigest()) {
            LittleEndian.i32(headers, headers.position(), slot.dataDigest);
            headers.position(headers.position() + PduDigest.SIZE);
        }
        return success;
    }

    private void closeHeaders() {
        if (open < headers.position()) {
            pieces.add(new Piece(headers.slice(open, headers.position() - open), null));
            open = headers.position();
        }
    }

    /** Forgets everything; data buffers are released, slots are not told. */
    void clear() {
        for (Piece each : pieces) {
            if (each.data != null) {
                source.release(each.data);
            }
        }
        pieces.clear();
        waiting.clear();
    }
}
