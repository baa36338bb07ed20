// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namenode's server. It listens from construction on and serves from {@link #start} on, in one
 * thread of its own ({@link EventLoop}). Thread-safe.
 */
public final class RpcServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
    private static final long CLOSE_SECONDS = 10;

    private final Selector selector;
    private final Listeners listeners;
    private final EventLoop loop;
    private final Thread thread;
    private final InetSocketAddress address;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;
    private final AtomicBoolean started = new AtomicBoolean();

    private RpcServer(Selector selector, Listeners listeners, EventLoop loop) throws IOException {
        this.selector = selector;
        this.listeners = listeners;
        this.loop = loop;
        this.address = (InetSocketAddress) listeners.tcp().address();
        this.thread = new Thread(this::run, "crail-namenode-" + address.getPort());
    }

    /** As {@link #bind(InetSocketAddress, UnixSocket, RpcOptions, RequestHandler)}, TCP only. */
    public static RpcServer bind(InetSocketAddress bind, RpcOptions options, RequestHandler handler)
            throws IOException {
        return bind(bind, null, options, handler);
    }

    /**
     * Listens on {@code bind}; port 0 takes any free one. Connections wait until {@link #start}.
     *
     * @param socket a Unix socket to listen on, too; closed with the server, or at once if it
     *     cannot be listened on, which is logged
     * @throws IOException naming the address, if it cannot be listened on
     */
    public static RpcServer bind(
            InetSocketAddress bind,
            @Nullable UnixSocket socket,
            RpcOptions options,
            RequestHandler handler)
            throws IOException {
        return bind(bind, socket, options, handler, LoopEnvironment.SYSTEM);
    }

    /**
     * As {@link #bind(InetSocketAddress, UnixSocket, RpcOptions, RequestHandler)}, on a given
     * machine.
     */
    public static RpcServer bind(
            InetSocketAddress bind,
            @Nullable UnixSocket socket,
            RpcOptions options,
            RequestHandler handler,
            LoopEnvironment environment)
            throws IOException {
        Selector selector = environment.network().openSelector();
        try {
            EventLoop loop = new EventLoop(selector, handler, options, environment.nanoTime());
            Listeners listeners = Listeners.open(bind, socket, selector, loop, options);
            return new RpcServer(selector, listeners, loop);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
    }

    /** Starts the thread; a second call does nothing. */
    public void start() {
        if (!started.getAndSet(true)) {
            thread.start();
        }
    }

    /**
     * One turn of the loop, for a server that is not started but driven by one thread of the
     * caller's, on a network whose selectors never wait.
     *
     * @return nanoseconds until the next turn is wanted, unless a channel gets ready first
     */
    public long turn() throws IOException {
        loop.turn();
        return TimeUnit.MILLISECONDS.toNanos(loop.waitMillis());
    }

    /** Where it listens, with the real port. */
    public InetSocketAddress address() {
        return address;
    }

    /** Path of the Unix socket it listens on, too, if it does. */
    public Optional<Path> localSocket() {
        return Optional.ofNullable(listeners.socket()).map(socket -> socket.address().getPath());
    }

    /**
     * Runs {@code task} in the server's thread, in the next turn, before its batch ends.
     *
     * @return false if the queue is full or the server has stopped; the task will not run then
     */
    public boolean execute(Runnable task) {
        return loop.execute(task);
    }

    /** What came and went over all connections so far. */
    public Traffic traffic() {
        return loop.traffic();
    }

    /** Lets answers leave that wait for a ticket up to this one. */
    public void release(long ticket) {
        loop.release(ticket);
    }

    /**
     * Withdraws all answers that wait for a ticket, by closing their connections: what they say
     * will not become durable.
     */
    public void discardHeld() {
        loop.discardHeld();
    }

    /** Starts a turn, so that {@link RequestHandler#batchEnd} is called soon. */
    public void wakeup() {
        loop.wakeup();
    }

    /** The error that stopped the server by itself, if one did. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Waits, at most so long, for the server to stop; true if it has. */
    public boolean awaitEnd(long time, TimeUnit unit) throws InterruptedException {
        return ended.await(time, unit);
    }

    /**
     * Closes all connections and waits, within a bound, for the thread to end. From the server's
     * own thread it does not wait. A second call does nothing more.
     */
    @Override
    public void close() throws IOException {
        loop.stop();
        if (!started.getAndSet(true)) {
            closeChannels();
            ended.countDown();
            return;
        }
        if (Thread.currentThread() == thread) {
            return;
        }
        boolean hasEnded = false;
        try {
            hasEnded = ended.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!hasEnded) {
            throw new IOException(
                    "the server on " + address + " did not stop within " + CLOSE_SECONDS + " s");
        }
    }

    private void run() {
        try {
            loop.run();
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
            LOG.error("the server on {} stops because of a fatal error", address, e);
        } finally {
            try {
                closeChannels();
            } catch (IOException e) {
                LOG.warn("closing the server on {} failed", address, e);
            }
            ended.countDown();
        }
    }

    private void closeChannels() throws IOException {
        try {
            listeners.close();
        } finally {
            selector.close();
        }
    }
}
