// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The small answers of one connection since its last flush, in one buffer: an entry for each in the
 * channel's queue, with its promise and its parts of a gathered write, costs more than copying 4
 * KiB. What is large goes past it, behind what it holds.
 *
 * <p>Holds one buffer at most, so no more than {@link #CAPACITY} bytes wait outside of the
 * channel's water marks. Used by the connection's event loop only.
 */
final class AnswerBatch {
    /** Bytes that leave together; 15 answers of 4 KiB. */
    static final int CAPACITY = 64 << 10;

    private final Channel channel;
    private @Nullable ByteBuf buffer;

    AnswerBatch(Channel channel) {
        this.channel = channel;
    }

    /**
     * Where to append an answer; belongs to the batch.
     *
     * @param bytes of the answer, not more than the capacity
     */
    ByteBuf room(int bytes) {
        ByteBuf current = buffer;
        if (current != null && current.writableBytes() >= bytes) {
            return current;
        }
        seal();
        ByteBuf fresh = channel.alloc().directBuffer(CAPACITY, CAPACITY);
        buffer = fresh;
        return fresh;
    }

    /** Hands what it holds over to the channel, in front of whatever is written there next. */
    void seal() {
        ByteBuf full = buffer;
        if (full != null) {
            buffer = null;
            ChannelFuture unused = channel.write(fitted(full), channel.voidPromise());
        }
    }

    /**
     * The same bytes without the room behind them, if buffers pile up: water marks count bytes, and
     * a peer that takes nothing must not make the server keep a large buffer for each few of them.
     */
    private ByteBuf fitted(ByteBuf full) {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        if (outbound == null || outbound.isEmpty() || full.writableBytes() < CAPACITY / 2) {
            return full;
        }
        ByteBuf copy = channel.alloc().directBuffer(full.readableBytes()).writeBytes(full);
        full.release();
        return copy;
    }

    /** Sends what it and the channel hold. */
    void flush() {
        seal();
        channel.flush();
    }

    /** The connection has ended. */
    void close() {
        ByteBuf rest = buffer;
        if (rest != null) {
            buffer = null;
            rest.release();
        }
    }
}
