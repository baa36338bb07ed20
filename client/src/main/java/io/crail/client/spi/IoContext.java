// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a client lends to its transports: one poller for all of them, timers, memory.
 *
 * <p>All methods are thread-safe and none blocks. Handlers, sources and tasks run on the thread
 * that polls at the moment, one at a time; they must be short, must not block and must not call
 * back into the client's public API.
 */
public interface IoContext {
    /** A channel that the poller watches. */
    interface Registration {
        /** Sets the operations waited for ({@link java.nio.channels.SelectionKey}). */
        void interestOps(int operations);
    }

    /** Called by the poller when a channel is ready. */
    @FunctionalInterface
    interface ReadyHandler {
        void ready(int operations);

        /**
         * Called by the poller while it looks for events instead of sleeping: takes what has
         * arrived on the channel, which costs one system call less than to ask the selector first.
         *
         * @return how much it found; 0 if nothing; {@link #EXPECTS_NOTHING} without having looked
         */
        default int look() {
            return EXPECTS_NOTHING;
        }

        /** A handler that waits for nothing now, or can only be told by the selector. */
        int EXPECTS_NOTHING = -1;
    }

    /** A new, unconnected, non-blocking socket. */
    SocketChannel newSocket() throws IOException;

    /** Lets the poller watch a non-blocking channel; ends when the channel is closed. */
    Registration register(SelectableChannel channel, int operations, ReadyHandler handler)
            throws IOException;

    /** Lets the poller ask a source whose completions no selector can announce. */
    void addSource(CompletionSource source);

    void removeSource(CompletionSource source);

    /**
     * Whether the calling thread will soon wait for messages, as far as can be told: what it posts
     * until then may go out together.
     */
    boolean willWait();

    /**
     * Runs a flush before the calling thread waits; should it not wait, within milliseconds on
     * another thread.
     */
    void flushLater(Runnable flush);

    /** Makes the poller look at its sources and tasks now. */
    void wakeup();

    /** Runs a task on the polling thread, soon. */
    void execute(Runnable task);

    /** Runs a task on the polling thread after a delay. */
    void schedule(long delayNanos, Runnable task);

    /**
     * Runs a task that may block for a moment, such as opening a file, on a thread of the client
     * that nobody interrupts; in the order of the calls.
     *
     * @return false if too many wait already, or the client is closed: it will not run
     */
    boolean executeBlocking(Runnable task);

    /**
     * Handles what has arrived on channels, unless a thread does that already; never waits. For
     * transports that move bytes without polling, so that they hear of lost connections.
     */
    void glance();

    /** Resolves a host name or address literal; names are looked up on a thread of the client. */
    void resolve(
            String host,
            int port,
            BiConsumer<@Nullable InetSocketAddress, @Nullable IOException> result);

    /** Direct memory, pooled and bounded. */
    BufferPool buffers();

    /** The client's clock, as {@link System#nanoTime}. */
    long nanoTime();

    /** Longest time that opening one connection may take. */
    long connectTimeoutNanos();

    /** Settings that only one transport knows, by key: {@code nvmf.queue_entries}. */
    default Map<String, String> transportOptions() {
        return Map.of();
    }

    /** Counts bytes that arrived damaged, were noticed by the transport, and asked for again. */
    default void countDamage() {}
}
