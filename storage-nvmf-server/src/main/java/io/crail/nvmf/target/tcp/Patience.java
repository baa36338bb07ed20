// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a connection may do nothing where it has to do something: become a queue, send what it
 * has begun to send or was asked for, take what is sent to it, close after the end. An idle queue
 * is none of it: for that there is the keep-alive timer. For the event loop.
 *
 * <p>Times are those of the looks at the clock, so each limit is reached late rather than early.
 */
final class Patience {
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long handshakeNanos;
    private final long stallNanos;
    private long beganAt;
    private boolean lingers;
    private boolean movedIn;
    private boolean movedOut;
    private long lastIn;
    private long lastOut;
    private long connectSince;
    private boolean connectWaits;

    Patience(TransportSettings settings, LongSupplier nanoTime) {
        this.handshakeNanos = TimeUnit.MILLISECONDS.toNanos(settings.handshakeMillis());
        this.stallNanos = TimeUnit.MILLISECONDS.toNanos(settings.stallMillis());
        this.beganAt = nanoTime.getAsLong();
        this.lastIn = beganAt;
        this.lastOut = beganAt;
    }

    void movedIn() {
        movedIn = true;
    }

    void movedOut() {
        movedOut = true;
    }

    /** The end begins. */
    void lingers(long now) {
        lingers = true;
        beganAt = now;
    }

    /**
     * Whether something took too long.
     *
     * @param ends whether the connection has to become a queue, or to close
     * @param owesInput whether the peer has to send something
     * @param owesOutput whether it has to take something
     * @return what took too long, or null
     */
    @Nullable String exhausted(long now, boolean ends, boolean owesInput, boolean owesOutput) {
        if (movedIn || !owesInput) {
            movedIn = false;
            lastIn = now;
        }
        if (movedOut || !owesOutput) {
            movedOut = false;
            lastOut = now;
        }
        if (ends && now - beganAt > (lingers ? LINGER_NANOS : handshakeNanos)) {
            return lingers ? "its peer did not close it" : "it did not become a queue in time";
        }
        if (now - lastIn > stallNanos) {
            return "its peer sent nothing of what it owes";
        }
        return now - lastOut > stallNanos ? "its peer took nothing of what it was sent" : null;
    }

    /** Whether a Connect that waits has waited long enough; the first call starts the clock. */
    boolean waitedForConnect(long now, long limitNanos) {
        if (!connectWaits) {
            connectWaits = true;
            connectSince = now;
        }
        return now - connectSince > limitNanos;
    }
}
