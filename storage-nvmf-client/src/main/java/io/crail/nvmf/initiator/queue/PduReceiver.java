// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.InitializeResponse;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.ReadyToTransfer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Takes what arrives on a connection apart. Headers come through a staging buffer. Data that came
 * along with its header is copied from there; the rest of it is read from the connection straight
 * into the caller's buffer, within the range that {@link Events#dataBegins} admitted, in one
 * scattering read with what follows.
 *
 * <p>Owned by the poller.
 */
final class PduReceiver {
    /** What is found. Each throws if the peer must not send that. */
    interface Events {
        void initialized(ByteBuffer buffer, int at) throws MalformedPduException;

        void responded(ByteBuffer buffer, int at) throws MalformedPduException;

        void asked(ByteBuffer buffer, int at) throws MalformedPduException;

        void terminated(ByteBuffer buffer, int at, int quoted) throws IOException;

        /** Data begins: its place, whose {@code receiveData} is set to the range of this PDU. */
        Place dataBegins(ByteBuffer buffer, int at) throws MalformedPduException;

        /** All data of the PDU is there. */
        void dataEnded(Place place, boolean digestMatches, boolean last, boolean success)
                throws MalformedPduException;

        /** Whether more is to be taken before those who wait are told. */
        boolean mayGoOn();
    }

    /**
     * Headers of many PDUs, or a few small ones with their data: eight of 4 KiB with what belongs
     * to them, which is how many are told of at once.
     */
    private static final int STAGING_BYTES = 36 * 1024;

    /** A longer PDU is refused before it is looked at whom it is for. */
    private static final long MAX_PDU = Integer.MAX_VALUE;

    /** Reads before other connections have their turn. */
    private static final int MAX_READS = 64;

    private final Events events;
    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
    private final ByteBuffer[] scattered = new ByteBuffer[2];
    private final PduDigest digest = new PduDigest();
    private PduFraming framing = PduFraming.PLAIN;

    /**
     * What has arrived and was not taken apart: from here to the position of the staging buffer.
     */
    private int start;

    /** Type of the PDU whose common header was checked. */
    private @Nullable PduType type;

    // The data PDU under way.
    private @Nullable Place place;
    private @Nullable ByteBuffer data;
    private boolean awaitsDigest;
    private boolean last;
    private boolean success;

    /** Whether it was enough before all that had arrived was taken apart. */
    private boolean paused;

    PduReceiver(Events events) {
        this.events = events;
    }

    /** From now on PDUs have digests and alignment as negotiated. */
    void setFraming(PduFraming negotiated) {
        framing = negotiated;
    }

    /**
     * Reads and takes apart what has arrived, or a part of it ({@link #isPaused}).
     *
     * @return bytes, 0 if there was nothing; -1 if the peer ended the connection
     */
    int receive(ScatteringByteChannel channel) throws IOException {
        int total = 0;
        if (paused) {
            total = available();
            takeApart();
        }
        for (int reads = 0; reads < MAX_READS && events.mayGoOn(); reads++) {
            long room = room();
            long count = read(channel);
            if (count < 0) {
                return -1;
            }
            if (count == 0) {
                break;
            }
            total += (int) Math.min(count, Integer.MAX_VALUE - total);
            takeApart();
            if (count < room) {
                break; // that was all
            }
        }
        return total;
    }

    /** Whether something has arrived that was left for later, and may have been all. */
    boolean isPaused() {
        return paused;
    }

    /** What a place receives to is another buffer now. */
    void replaced(Place changed) {
        if (place == changed && data != null) {
            data = changed.receiveData;
        }
    }

    private long room() {
        ByteBuffer target = data;
        return staging.remaining() + (target == null ? 0L : target.remaining());
    }

    private long read(ScatteringByteChannel channel) throws IOException {
        ByteBuffer target = data;
        if (target == null || !target.hasRemaining()) {
            return channel.read(staging);
        }
        // All of the staging buffer was taken apart: the next bytes belong to the caller.
        int from = target.position();
        scattered[0] = target;
        scattered[1] = staging;
        long count = channel.read(scattered);
        if (framing.dataDigest() && target.position() > from) {
            digest.update(target, from, target.position() - from);
        }
        return count;
    }

    private int available() {
        return staging.position() - start;
    }

    private void takeApart() throws IOException {
        boolean more = true;
        while (more && events.mayGoOn()) {
            more = data != null ? takeData() : takeHeader();
        }
        paused = more && available() > 0;
        if (start == staging.position()) {
            staging.clear();
            start = 0;
        } else if (start > 0) {
            staging.flip().position(start);
            staging.compact();
            start = 0;
        }
    }

    /** Takes a header; false if it has not arrived. */
    private boolean takeHeader() throws IOException {
        if (available() < PduHeader.SIZE) {
            return false;
        }
        PduType current = type;
        if (current == null) {
            current = framing.checkHeader(staging, start, PduType.Sender.CONTROLLER, MAX_PDU);
            type = current;
        }
        int size = framing.headerSize(current);
        if (current == PduType.C2H_DATA) {
            size = Math.max(size, PduHeader.dataOffset(staging, start));
        } else if (current == PduType.C2H_TERM_REQ) {
            size = (int) PduHeader.pduLength(staging, start);
        }
        if (available() < size) {
            return false;
        }
        framing.checkHeaderDigest(staging, start, current, digest);
        dispatch(current, size);
        start += size;
        type = null;
        return true;
    }

    private void dispatch(PduType current, int size) throws IOException {
        switch (current) {
            case IC_RESP -> {
                InitializeResponse.check(staging, start);
                events.initialized(staging, start);
            }
            case CAPSULE_RESP -> events.responded(staging, start);
            case R2T -> {
                ReadyToTransfer.check(staging, start);
                events.asked(staging, start);
            }
            case C2H_TERM_REQ ->
                    events.terminated(staging, start, size - PduType.C2H_TERM_REQ.headerLength());
            case C2H_DATA -> beginData();
            default -> throw new IllegalStateException("a " + current + " passed the check");
        }
    }

    private void beginData() throws MalformedPduException {
        DataPdu.check(staging, start, framing, PduType.C2H_DATA);
        Place owner = events.dataBegins(staging, start);
        last = DataPdu.isLast(staging, start);
        success = DataPdu.isSuccess(staging, start);
        place = owner;
        data = owner.receiveData;
        awaitsDigest = framing.dataDigest();
        digest.begin();
    }

    /** Takes data and its digest; false if they have not arrived. */
    private boolean takeData() throws MalformedPduException {
        ByteBuffer target = data;
        Place owner = place;
        if (target == null || owner == null) {
            throw new IllegalStateException("data without a place");
        }
        int count = Math.min(available(), target.remaining());
        if (count > 0) {
            int position = target.position();
            target.put(position, staging, start, count).position(position + count);
            start += count;
            if (awaitsDigest) {
                digest.update(target, position, count);
            }
        }
        if (target.hasRemaining() || (awaitsDigest && available() < PduDigest.SIZE)) {
            return false;
        }
        boolean matches = true;
        if (awaitsDigest) {
            matches = LittleEndian.i32(staging, start) == digest.value();
            start += PduDigest.SIZE;
        }
        data = null;
        place = null;
        events.dataEnded(owner, matches, last, success);
        return true;
    }

    /** Where the header lies that was last looked at, for a request to terminate. */
    ByteBuffer staging() {
        return staging;
    }

    int start() {
        return start;
    }

    /** How much of that header is there. */
    int quotable() {
        int header = available() < PduHeader.SIZE ? 0 : PduHeader.headerLength(staging, start);
        return Math.min(Math.min(available(), header), PduType.MAX_HEADER_LENGTH);
    }
}
