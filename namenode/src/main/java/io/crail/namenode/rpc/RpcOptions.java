// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import java.time.Duration;

/**
 * Limits of the server. What exceeds one costs the connection that exceeds it, nobody else.
 *
 * @param maxConnections connections at a time; one more is closed at once, or the oldest whose
 *     hello is not complete
 * @param helloTimeout time from the start of a connection to {@link Connection#established}
 * @param frameTimeout time from the first byte of a frame to its last
 * @param sendTimeout time without progress while a peer does not take its answers
 * @param bytesPerTurn bytes of requests handled for one connection before others have their turn:
 *     16 KiB are some 80 small puts; smaller writes to the log cost 5 to 10% of throughput against
 *     256 KiB
 * @param pauseReading bytes of answers not taken by the peer at which no more of its requests are
 *     handled
 * @param maxUnsent bytes of answers not taken at which a connection is closed
 * @param maxBuffered bytes of the buffers of all connections together; a connection whose buffer
 *     would have to grow beyond it is closed
 * @param maxTasks tasks queued by other threads
 * @param busyPoll whether the loop looks for requests before it sleeps, while that pays
 */
public record RpcOptions(
        int maxConnections,
        Duration helloTimeout,
        Duration frameTimeout,
        Duration sendTimeout,
        int bytesPerTurn,
        int pauseReading,
        int maxUnsent,
        long maxBuffered,
        int maxTasks,
        boolean busyPoll) {
    public RpcOptions {
        atLeast("maxConnections", maxConnections, 1);
        atLeast("helloTimeout", helloTimeout.toMillis(), 1);
        atLeast("frameTimeout", frameTimeout.toMillis(), 1);
        atLeast("sendTimeout", sendTimeout.toMillis(), 1);
        atLeast("bytesPerTurn", bytesPerTurn, FrameHeader.SIZE);
        atLeast("pauseReading", pauseReading, 1);
        atLeast("maxUnsent", maxUnsent, pauseReading);
        atLeast("maxBuffered", maxBuffered, maxUnsent);
        atLeast("maxTasks", maxTasks, 1);
        if (maxUnsent > Integer.MAX_VALUE - ProtocolLimits.MAX_FRAME) {
            throw new IllegalArgumentException("maxUnsent " + maxUnsent + " is too large");
        }
    }

    public static RpcOptions defaults() {
        return new RpcOptions(
                4096,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                16 << 10,
                1 << 20,
                8 << 20,
                256L << 20,
                4096,
                true);
    }

    public RpcOptions withMaxConnections(int connections) {
        Draft draft = new Draft(this);
        draft.maxConnections = connections;
        return draft.options();
    }

    public RpcOptions withTimeouts(Duration hello, Duration frame, Duration send) {
        Draft draft = new Draft(this);
        draft.helloTimeout = hello;
        draft.frameTimeout = frame;
        draft.sendTimeout = send;
        return draft.options();
    }

    public RpcOptions withSendLimits(int pauseReadingBytes, int maxUnsentBytes) {
        Draft draft = new Draft(this);
        draft.pauseReading = pauseReadingBytes;
        draft.maxUnsent = maxUnsentBytes;
        return draft.options();
    }

    public RpcOptions withMaxBuffered(long bytes) {
        Draft draft = new Draft(this);
        draft.maxBuffered = bytes;
        return draft.options();
    }

    public RpcOptions withBusyPoll(boolean on) {
        Draft draft = new Draft(this);
        draft.busyPoll = on;
        return draft.options();
    }

    /** A copy that can be changed, so that all fields are named once. */
    private static final class Draft {
        private final RpcOptions origin;
        private int maxConnections;
        private Duration helloTimeout;
        private Duration frameTimeout;
        private Duration sendTimeout;
        private int pauseReading;
        private int maxUnsent;
        private long maxBuffered;
        private boolean busyPoll;

        Draft(RpcOptions origin) {
            this.origin = origin;
            maxConnections = origin.maxConnections;
            helloTimeout = origin.helloTimeout;
            frameTimeout = origin.frameTimeout;
            sendTimeout = origin.sendTimeout;
            pauseReading = origin.pauseReading;
            maxUnsent = origin.maxUnsent;
            maxBuffered = origin.maxBuffered;
            busyPoll = origin.busyPoll;
        }

        RpcOptions options() {
            return new RpcOptions(
                    maxConnections,
                    helloTimeout,
                    frameTimeout,
                    sendTimeout,
                    origin.bytesPerTurn,
                    pauseReading,
                    maxUnsent,
                    maxBuffered,
                    origin.maxTasks,
                    busyPoll);
        }
    }

    private static void atLeast(String name, long value, long minimum) {
        if (value < minimum) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", must be at least " + minimum);
        }
    }
}
