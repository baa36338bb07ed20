// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import io.crail.client.spi.Exchange;
import io.crail.client.spi.RpcChannel.Withdrawn;
import io.crail.protocol.frame.FrameHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing half of a connection: frames that wait, and the one that is partly out. Guarded by
 * the channel's send lock.
 *
 * <p>Headers and control parts of any number of frames are staged in one small direct buffer and go
 * out together; a direct payload goes out from its own buffer, gathered behind what is staged. A
 * control part that does not fit, and a payload on the heap, are staged in pieces.
 */
final class FrameSender {
    private final ByteBuffer staging;
    private final ArrayDeque<Exchange> queue = new ArrayDeque<>();

    /** First staged byte that is not out yet; staged bytes end at the position. */
    private int head;

    /** The frame that is partly out, or staged and followed by its payload. */
    private @Nullable Exchange current;

    /** Rest of the current control part, or of a withdrawn payload: to be staged. */
    private @Nullable ByteBuffer rest;

    /** Rest of the current payload: to be gathered. */
    private @Nullable ByteBuffer payload;

    /**
     * @param staging a direct, little-endian buffer of some kilobytes
     */
    FrameSender(ByteBuffer staging) {
        this.staging = staging;
    }

    void add(Exchange exchange) {
        queue.add(exchange);
    }

    /** Frames of which not a byte has been staged. */
    int waiting() {
        return queue.size();
    }

    /** Sends what the channel takes; true if everything is out. */
    boolean flush(GatheringByteChannel channel) throws IOException {
        while (true) {
            stage();
            if (head == staging.position() && payload == null) {
                return true;
            }
            if (write(channel) == 0) {
                return false;
            }
        }
    }

    private long write(GatheringByteChannel channel) throws IOException {
        ByteBuffer staged = staging.duplicate().position(head).limit(staging.position());
        ByteBuffer bulk = payload;
        long written;
        if (bulk == null) {
            written = channel.write(staged);
        } else if (!staged.hasRemaining()) {
            written = channel.write(bulk);
        } else {
            written = channel.write(new ByteBuffer[] {staged, bulk});
        }
        head = staged.position();
        if (head == staging.position()) {
            head = 0;
            staging.clear();
        }
        if (bulk != null && !bulk.hasRemaining()) {
            payload = null;
            current = null;
        }
        return written;
    }

    /** Stages frames until there is no more, no room, or a payload that must follow. */
    private void stage() {
        while (payload == null) {
            if (rest != null) {
                if (!stageRest(rest)) {
                    return;
                }
                rest = null;
            } else if (current == null) {
                if (queue.isEmpty() || staging.remaining() < FrameHeader.SIZE) {
                    return;
                }
                begin(queue.remove());
                continue;
            }
            Exchange staged = current;
            ByteBuffer bulk = staged == null ? null : staged.payload();
            if (bulk != null && bulk.hasRemaining() && bulk.isDirect()) {
                payload = bulk.duplicate();
            } else {
                rest = bulk == null ? null : bulk.duplicate();
                current = null;
            }
        }
    }

    private void begin(Exchange exchange) {
        ByteBuffer bulk = exchange.payload();
        FrameHeader.putRequest(
                staging,
                staging.position(),
                exchange.flags(),
                exchange.type(),
                exchange.requestId(),
                exchange.session(),
                exchange.remainingMillis(),
                exchange.control().length,
                bulk == null ? 0 : bulk.remaining(),
                exchange.acknowledged(),
                exchange.requestId());
        staging.position(staging.position() + FrameHeader.SIZE);
        current = exchange;
        rest = ByteBuffer.wrap(exchange.control());
    }

    /** Copies what fits; true if that was all. */
    private boolean stageRest(ByteBuffer bytes) {
        int piece = Math.min(bytes.remaining(), staging.remaining());
        staging.put(bytes.slice(bytes.position(), piece));
        bytes.position(bytes.position() + piece);
        return !bytes.hasRemaining();
    }

    /** Cuts an exchange off from its payload; see {@link io.crail.client.spi.RpcChannel}. */
    Withdrawn withdraw(Exchange exchange) {
        if (exchange == current) {
            detachCurrent();
            return Withdrawn.SENT;
        }
        return queue.remove(exchange) ? Withdrawn.UNSENT : Withdrawn.SENT;
    }

    /** The frame is partly out: the rest must follow, from a copy that nobody else can change. */
    private void detachCurrent() {
        Exchange exchange = current;
        ByteBuffer control = rest;
        ByteBuffer bulk = payload != null ? payload : exchange == null ? null : exchange.payload();
        int size =
                (control == null ? 0 : control.remaining()) + (bulk == null ? 0 : bulk.remaining());
        ByteBuffer copy = ByteBuffer.allocate(size);
        if (control != null) {
            copy.put(control);
        }
        if (bulk != null) {
            copy.put(bulk.duplicate());
        }
        current = null;
        payload = null;
        rest = copy.flip();
    }
}
