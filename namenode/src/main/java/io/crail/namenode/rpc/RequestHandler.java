// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.nio.ByteBuffer;

/**
 * The engine, as the server sees it. Every method is called by the server's one thread, never two
 * at a time, and must not block.
 *
 * <p>One turn of the server is: requests of all ready connections, tasks, {@link #tick} when due,
 * {@link #batchEnd}, then the answers leave. An exception from {@link #request} becomes an answer
 * with INTERNAL; an {@link Error} stops the server.
 */
public interface RequestHandler {
    /** From {@link #batchEnd}: answers may leave at once. */
    long SEND_NOW = 0;

    /**
     * From {@link #batchEnd}: nothing that was answered since the last call may leave. The
     * connections concerned are closed, so that their clients ask again.
     */
    long DISCARD = -1;

    /**
     * One whole frame with a checked header.
     *
     * @param in the receive buffer, little-endian, valid during this call only; its position is
     *     behind the frame header and its limit at the end of the frame, and both may be moved
     * @param at absolute offset of the frame header, for {@link
     *     io.crail.protocol.frame.FrameHeader}
     */
    void request(Connection connection, ByteBuffer in, int at);

    /**
     * Called after each turn, before its answers leave: the place to write the log.
     *
     * @return {@link #SEND_NOW}, {@link #DISCARD}, or a positive ticket: everything answered since
     *     the last call leaves when {@link RpcServer#release} was called with this ticket or a
     *     higher one. Tickets never descend.
     */
    long batchEnd();

    /** The connection is gone; called once for each, also when the server stops. */
    void closed(Connection connection);

    /**
     * Timers and bounded slices of background work.
     *
     * @param nowNanos now, on the clock of {@link System#nanoTime}
     * @return nanoseconds until the next call is wanted; 0 when there is more work at once
     */
    long tick(long nowNanos);

    /** The namenode's epoch, for answers that the server gives by itself. */
    long epoch();
}
