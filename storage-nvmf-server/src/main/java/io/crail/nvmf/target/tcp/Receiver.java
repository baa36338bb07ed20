// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a connection into PDUs, wherever reads end. Headers, and the beginning of data,
 * are read into a small buffer; the rest of longer data goes from the socket straight to where it
 * belongs, together with the header that follows. For the event loop.
 */
final class Receiver {
    /** What PDUs are for. */
    interface Sink {
        /** Whether PDUs are still wanted. */
        boolean isOpen();

        /**
         * A header is complete and its digest is right.
         *
         * @param dataLength of the data that follows
         * @return false to be asked again with the same header later, when {@link #parse} is called
         */
        boolean onHeader(PduType type, ByteBuffer buffer, int at, int dataLength)
                throws MalformedPduException;

        /**
         * A PDU is complete.
         *
         * @param intact whether its data digest, if there is one, was right
         */
        void onComplete(PduType type, boolean intact) throws MalformedPduException;
    }

    private enum State {
        HEADER,
        DATA,
        DIGEST
    }

    private static final int BUFFER_BYTES = 32 << 10;

    /** Data of which less is missing is copied out of the buffer. */
    private static final int DIRECT_BYTES = 4 << 10;

    private final Sink sink;
    private final ByteBuffer buffer = DataPool.aligned(BUFFER_BYTES);
    private final PduDigest digest = new PduDigest();
    private final long maxPduBytes;

    private PduFraming framing = PduFraming.PLAIN;
    private State state = State.HEADER;
    private @Nullable PduType type;
    private boolean refused;

    /** Where data goes, up to its limit; null to drop it. */
    private @Nullable ByteBuffer destination;

    private int dataLeft;
    private boolean full;
    private boolean digested;

    Receiver(Sink sink, long maxPduBytes) {
        this.sink = sink;
        this.maxPduBytes = maxPduBytes;
        buffer.limit(0);
    }

    /** From now on PDUs are framed so. */
    void framing(PduFraming negotiated) {
        framing = negotiated;
    }

    /** By the sink in {@code onHeader}: where the data of the PDU goes, position to limit. */
    void receiveInto(@Nullable ByteBuffer into) {
        destination = into;
    }

    /** Whether the sink has refused a header, so that reading on is of no use. */
    boolean isRefused() {
        return refused;
    }

    /** Whether a PDU has begun and not ended. */
    boolean isAmidPdu() {
        return state != State.HEADER || buffer.hasRemaining();
    }

    /** How much of the header at fault there is, for a request to terminate. */
    int headerBytes() {
        PduType begun = type;
        int length = begun == null ? PduHeader.SIZE : begun.headerLength();
        return Math.min(length, buffer.remaining());
    }

    ByteBuffer buffer() {
        return buffer;
    }

    /**
     * Reads what is there, once.
     *
     * @return bytes read, -1 at the end
     */
    long read(ScatteringByteChannel channel) throws IOException {
        ByteBuffer into = destination;
        if (state == State.DATA
                && into != null
                && dataLeft >= DIRECT_BYTES
                && !buffer.hasRemaining()) {
            return readDirect(channel, into);
        }
        buffer.compact();
        try {
            return channel.read(buffer);
        } finally {
            full = !buffer.hasRemaining();
            buffer.flip();
        }
    }

    private long readDirect(ScatteringByteChannel channel, ByteBuffer into) throws IOException {
        int before = into.position();
        buffer.clear();
        long count;
        try {
            count = channel.read(new ByteBuffer[] {into, buffer});
        } finally {
            full = !buffer.hasRemaining();
            buffer.flip();
        }
        took(into, before);
        return count;
    }

    private void took(ByteBuffer into, int before) {
        int count = into.position() - before;
        dataLeft -= count;
        if (digested) {
            digest.update(into, before, count);
        }
    }

    /** Whether the last read may have left something in the socket. */
    boolean isFull() {
        return full;
    }

    /** Hands over what has been read. */
    void parse() throws MalformedPduException {
        while (sink.isOpen() && step()) {
            // Each step is one header, one piece of data, or one digest.
        }
    }

    private boolean step() throws MalformedPduException {
        return switch (state) {
            case HEADER -> header();
            case DATA -> data();
            case DIGEST -> digest();
        };
    }

    private boolean header() throws MalformedPduException {
        int at = buffer.position();
        int there = buffer.remaining();
        if (there < PduHeader.SIZE) {
            return false;
        }
        PduType begun = type;
        if (begun == null) {
            begun = framing.checkHeader(buffer, at, PduType.Sender.HOST, maxPduBytes);
            type = begun;
        }
        int size = framing.headerSize(begun);
        if (there < size) {
            return false;
        }
        int length = framing.dataLength(buffer, at, begun);
        int dataAt = length > 0 && begun.mayCarryData() ? PduHeader.dataOffset(buffer, at) : size;
        if (there < dataAt) {
            return false;
        }
        if (!refused) {
            framing.checkHeaderDigest(buffer, at, begun, digest);
        }
        digested = length > 0 && framing.dataDigestSize(begun) > 0;
        destination = null;
        refused = !sink.onHeader(begun, buffer, at, length);
        if (refused) {
            return false;
        }
        buffer.position(at + dataAt);
        if (length == 0) {
            complete(true);
        } else {
            dataLeft = length;
            digest.begin();
            state = State.DATA;
        }
        return true;
    }

    private boolean data() throws MalformedPduException {
        int count = Math.min(dataLeft, buffer.remaining());
        int at = buffer.position();
        ByteBuffer into = destination;
        if (into == null) {
            if (digested) {
                digest.update(buffer, at, count);
            }
            dataLeft -= count;
        } else {
            int before = into.position();
            into.put(before, buffer, at, count).position(before + count);
            took(into, before);
        }
        buffer.position(at + count);
        if (dataLeft > 0) {
            return false;
        }
        if (digested) {
            state = State.DIGEST;
        } else {
            complete(true);
        }
        return true;
    }

    private boolean digest() throws MalformedPduException {
        if (buffer.remaining() < PduDigest.SIZE) {
            return false;
        }
        int at = buffer.position();
        boolean intact = LittleEndian.i32(buffer, at) == digest.value();
        buffer.position(at + PduDigest.SIZE);
        complete(intact);
        return true;
    }

    private void complete(boolean intact) throws MalformedPduException {
        PduType ended = type;
        type = null;
        state = State.HEADER;
        destination = null;
        if (ended != null) {
            sink.onComplete(ended, intact);
        }
    }
}
