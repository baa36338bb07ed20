// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.storage.spi.ServiceLimits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection whose peer lets the server wait: without a hello, within a frame, or with
 * answers that it does not take. Looks at the connection a few times per limit instead of setting a
 * timer per request. Silence between frames is no fault, and neither is silence while the server
 * itself does not read.
 *
 * <p>Used by the connection's event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What becomes of a channel shows in channelInactive.
final class Patience {
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final ServiceLimits limits;
    private final Channel channel;
    private final Consumer<String> lose;
    private final long tickNanos;
    private BooleanSupplier greeted = () -> false;
    private BooleanSupplier waiting = () -> false;
    private @Nullable Future<?> ticker;
    private long age;
    private long silence;
    private long unanswered;
    private long pendingBefore;
    private long closingSince = -1;

    Patience(ServiceLimits limits, Channel channel, Consumer<String> lose) {
        this.limits = limits;
        this.channel = channel;
        this.lose = lose;
        long shortest =
                Math.min(
                        limits.helloTimeout().toNanos(),
                        Math.min(
                                limits.stallTimeout().toNanos(), limits.answerTimeout().toNanos()));
        this.tickNanos =
                Math.max(
                        TimeUnit.MILLISECONDS.toNanos(5),
                        Math.min(shortest / 4, TimeUnit.MILLISECONDS.toNanos(500)));
    }

    /**
     * @param greeted whether the hello is complete
     * @param waiting whether the peer is to send the rest of a frame
     */
    void start(BooleanSupplier greeted, BooleanSupplier waiting) {
        this.greeted = greeted;
        this.waiting = waiting;
        ticker =
                channel.eventLoop()
                        .scheduleWithFixedDelay(
                                this::tick, tickNanos, tickNanos, TimeUnit.NANOSECONDS);
    }

    void stop() {
        if (ticker != null) {
            ticker.cancel(false);
        }
    }

    /** Bytes came in. */
    void received() {
        silence = 0;
    }

    /** The last answer is on its way; the peer has a moment to take it. */
    void closing() {
        closingSince = age;
    }

    private void tick() {
        age += tickNanos;
        silence = waiting.getAsBoolean() ? silence + tickNanos : 0;
        long pending = pendingBytes();
        unanswered = pending > 0 && pending == pendingBefore ? unanswered + tickNanos : 0;
        pendingBefore = pending;
        if (closingSince >= 0) {
            if (age - closingSince >= CLOSING.toNanos()) {
                channel.close();
            }
        } else if (!greeted.getAsBoolean() && age >= limits.helloTimeout().toNanos()) {
            lose.accept("no hello within " + limits.helloTimeout());
        } else if (silence >= limits.stallTimeout().toNanos()) {
            lose.accept("stalled within a frame for " + limits.stallTimeout());
        } else if (unanswered >= limits.answerTimeout().toNanos()) {
            lose.accept("took no answer for " + limits.answerTimeout());
        }
    }

    private long pendingBytes() {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        return outbound == null ? 0 : outbound.totalPendingWriteBytes();
    }
}
