// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import io.crail.client.spi.Exchange;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The incoming half of a connection. Guarded by the channel's receive lock.
 *
 * <p>Headers and control parts come through a small direct buffer; of a payload, what has already
 * arrived there is copied and the rest is read from the socket straight into its target, if that is
 * a direct buffer. Small answers are taken by as many as the buffer holds; among large ones little
 * more than a header is, so that little of a large payload is copied.
 */
final class FrameReceiver {
    /** An answer that is complete. */
    record Answer(Exchange exchange, int status, long epoch, byte[] control) {
        void deliver() {
            exchange.answered(status, epoch, control);
        }
    }

    private static final byte[] EMPTY = {};

    /** Bytes to take in one go, so that one connection does not starve the others. */
    private static final int BUDGET = 4 << 20;

    /** Holds the header of a large answer with its checksums. */
    private static final int HEADER_ROOM = 2 << 10;

    /** What makes a payload large. */
    private static final int LARGE = 32 << 10;

    /** The rest of a small payload is better read together with the answers behind it. */
    private static final int WORTH_A_READ = 8 << 10;

    private final ByteBuffer buffer;
    private final LongFunction<@Nullable Exchange> pending;
    private final Predicate<Exchange> claim;

    private boolean inFrame;
    private @Nullable Exchange exchange;
    private int status;
    private long epoch;
    private byte[] control = EMPTY;
    private int controlFilled;
    private boolean payloadBegun;
    private boolean amongLarge;
    private int payloadLeft;
    private @Nullable ByteBuffer target;

    /**
     * @param buffer a direct, little-endian buffer of some kilobytes
     * @param pending finds the exchange of a request id; null for one that was given up
     * @param claim ends that an exchange is pending, before another frame is looked at: a second
     *     answer must not reach a target that is somebody else's by then. False if it had ended
     */
    FrameReceiver(
            ByteBuffer buffer,
            LongFunction<@Nullable Exchange> pending,
            Predicate<Exchange> claim) {
        this.buffer = buffer;
        this.pending = pending;
        this.claim = claim;
    }

    /**
     * Takes what has arrived; adds the answers that became complete. A read that got less than it
     * had room for has emptied the socket, which is not asked again then.
     *
     * @return bytes taken
     */
    int receive(ReadableByteChannel channel, List<Answer> complete) throws IOException {
        int taken = 0;
        while (taken < BUDGET) {
            boolean direct = readsDirectly();
            int room = direct ? payloadLeft : limitBuffer();
            int read = direct ? readTarget(channel) : channel.read(buffer);
            if (read < 0) {
                throw new EOFException("connection closed by the peer");
            }
            taken += read;
            if (read > 0) {
                buffer.flip();
                while (parse(complete)) {
                    assert buffer.position() <= buffer.limit();
                }
                buffer.compact();
            }
            if (read < room) {
                break;
            }
        }
        return taken;
    }

    /** Limits what the next read may put into the buffer; returns how much that is. */
    private int limitBuffer() {
        if (amongLarge && buffer.position() < HEADER_ROOM) {
            buffer.limit(Math.min(HEADER_ROOM, buffer.capacity()));
        }
        return buffer.remaining();
    }

    private boolean readsDirectly() {
        ByteBuffer into = target;
        return payloadBegun
                && into != null
                && into.isDirect()
                && buffer.position() == 0
                && (amongLarge || payloadLeft >= WORTH_A_READ);
    }

    private int readTarget(ReadableByteChannel channel) throws IOException {
        ByteBuffer into = target;
        if (into == null) {
            return 0;
        }
        int limit = into.limit();
        into.limit(into.position() + payloadLeft);
        try {
            int read = channel.read(into);
            payloadLeft -= Math.max(0, read);
            return read;
        } finally {
            into.limit(limit);
        }
    }

    /** One step; false if more bytes are needed. */
    private boolean parse(List<Answer> complete) throws ProtocolException {
        if (!inFrame) {
            return beginFrame();
        }
        if (controlFilled < control.length) {
            int piece = Math.min(buffer.remaining(), control.length - controlFilled);
            buffer.get(control, controlFilled, piece);
            controlFilled += piece;
            if (controlFilled < control.length) {
                return false;
            }
        }
        if (!payloadBegun) {
            beginPayload();
        }
        copyPayload();
        if (payloadLeft > 0) {
            return false;
        }
        endFrame(complete);
        return true;
    }

    private boolean beginFrame() throws ProtocolException {
        if (buffer.remaining() < FrameHeader.SIZE) {
            return false;
        }
        int at = buffer.position();
        FrameHeader.check(buffer, at, ProtocolLimits.MAX_FRAME);
        if (!FrameHeader.isResponse(buffer, at)) {
            throw new ProtocolException("the server sent a request instead of an answer");
        }
        int controlLength = FrameHeader.controlLength(buffer, at);
        if (controlLength > ProtocolLimits.MAX_CONTROL) {
            throw new ProtocolException("control part of " + controlLength + " bytes");
        }
        exchange = pending.apply(FrameHeader.requestId(buffer, at));
        status = FrameHeader.status(buffer, at);
        epoch = FrameHeader.epoch(buffer, at);
        control = controlLength == 0 ? EMPTY : new byte[controlLength];
        controlFilled = 0;
        payloadLeft = FrameHeader.payloadLength(buffer, at);
        payloadBegun = false;
        inFrame = true;
        buffer.position(at + FrameHeader.SIZE);
        return true;
    }

    private void beginPayload() {
        payloadBegun = true;
        amongLarge = payloadLeft >= LARGE;
        Exchange receiver = exchange;
        ByteBuffer into =
                receiver == null || payloadLeft == 0
                        ? null
                        : receiver.payloadTarget(status, payloadLeft);
        target = into != null && into.remaining() >= payloadLeft ? into : null;
    }

    private void copyPayload() {
        int piece = Math.min(buffer.remaining(), payloadLeft);
        if (piece == 0) {
            return;
        }
        ByteBuffer into = target;
        if (into != null) {
            into.put(buffer.slice(buffer.position(), piece));
        }
        buffer.position(buffer.position() + piece);
        payloadLeft -= piece;
    }

    private void endFrame(List<Answer> complete) {
        Exchange done = exchange;
        if (done != null && claim.test(done)) {
            complete.add(new Answer(done, status, epoch, control));
        }
        inFrame = false;
        exchange = null;
        target = null;
        control = EMPTY;
    }

    /** Drops what is still to come for this exchange's target. */
    void detach(Exchange given) {
        if (given == exchange) {
            target = null;
        }
    }
}
