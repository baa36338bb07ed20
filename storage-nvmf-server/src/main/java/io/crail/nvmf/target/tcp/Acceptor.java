// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.memory.DataBuffer;
import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections and gives each to the event loop that has the fewest. Belongs to the first
 * loop. A connection that is one too many is closed at once: it costs nothing and its host tries
 * again.
 *
 * <p>Where accepting itself fails, most likely for lack of a descriptor, the connection stays where
 * it is and the selector would not wait for one: nothing is accepted for {@value #REST_MILLIS} ms,
 * and the reason is told once until it works again.
 */
final class Acceptor implements EventLoop.Selected {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    /** Of those that came together; the connections that are there have their turn, too. */
    private static final int ACCEPTS_PER_TURN = 64;

    private static final int REST_MILLIS = 100;

    private final TcpServices services;
    private final List<EventLoop> loops;
    private final ServerSocketChannel channel;
    private @Nullable SelectionKey key;

    /** One buffer for each connection: see {@link Memory}. */
    private final DataPool capsules;

    private boolean full;
    private boolean failing;

    /** Whether nothing is accepted, and since when; written by the first loop. */
    private volatile boolean resting;

    private volatile long restedFrom;

    Acceptor(
            TcpServices services,
            List<EventLoop> loops,
            ServerSocketChannel channel,
            DataPool capsules) {
        this.services = services;
        this.loops = loops;
        this.channel = channel;
        this.capsules = capsules;
    }

    /** By the first loop. */
    void register() {
        try {
            key = channel.register(loops.get(0).selector(), SelectionKey.OP_ACCEPT, this);
        } catch (IOException e) {
            LOG.error("Cannot accept connections", e);
        }
    }

    @Override
    public void onSelected() {
        for (int count = 0; count < ACCEPTS_PER_TURN; count++) {
            SocketChannel accepted;
            try {
                accepted = channel.accept();
            } catch (IOException e) {
                rest(e);
                return;
            }
            if (accepted == null) {
                return;
            }
            failing = false;
            try {
                take(accepted);
            } catch (IOException e) {
                LOG.debug("A connection was lost while it was accepted: {}", e.toString());
            }
        }
    }

    private void rest(IOException cause) {
        SelectionKey registered = key;
        if (registered == null || !registered.isValid()) {
            return; // closed
        }
        if (!failing) {
            failing = true;
            LOG.warn(
                    "Cannot accept connections, {} are open: {}; trying again every {} ms",
                    count(),
                    cause.toString(),
                    REST_MILLIS);
        }
        registered.interestOps(0);
        restedFrom = services.nanoTime().getAsLong();
        resting = true;
    }

    /** Goes on after a failure. By the thread that looks at the clock, now and then. */
    void tick() {
        if (resting
                && services.nanoTime().getAsLong() - restedFrom
                        >= TimeUnit.MILLISECONDS.toNanos(REST_MILLIS)) {
            resting = false;
            loops.get(0).post(this::resume);
        }
    }

    private void resume() {
        SelectionKey registered = key;
        if (registered != null && registered.isValid()) {
            registered.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    private void take(SocketChannel accepted) throws IOException {
        boolean kept = false;
        try {
            String peer = Listener.prepare(accepted);
            DataBuffer own = count() < services.settings().maxConnections() ? takeBuffer() : null;
            if (own == null) {
                refuse(peer);
                return;
            }
            full = false;
            EventLoop loop = leastBusy();
            loop.expect();
            loop.post(() -> begin(loop, accepted, own, peer));
            kept = true;
        } finally {
            if (!kept) {
                accepted.close();
            }
        }
    }

    /** The first one serves if none else does: it runs this. */
    private EventLoop leastBusy() {
        return loops.stream()
                .filter(EventLoop::isServing)
                .min(Comparator.comparing(EventLoop::connectionCount))
                .orElse(loops.get(0));
    }

    private @Nullable DataBuffer takeBuffer() {
        return capsules.take(bufferBytes(services.settings()));
    }

    /** Data of the largest capsule, and what may surround it in the units of a medium. */
    static int bufferBytes(TransportSettings settings) {
        return Math.max(settings.inCapsuleBytes(), Intake.ADMIN_CAPSULE_BYTES)
                + 2 * DataPool.ALIGNMENT;
    }

    private int count() {
        return loops.stream().mapToInt(EventLoop::connectionCount).sum();
    }

    private void refuse(String peer) {
        services.counters().connectionsRefused.increment();
        if (!full) {
            full = true;
            LOG.warn(
                    "Refusing {} and others: {} connections are open, no more are allowed",
                    peer,
                    services.settings().maxConnections());
        }
    }

    private void begin(EventLoop loop, SocketChannel accepted, DataBuffer own, String peer) {
        try {
            loop.add(new Connection(services, loop, accepted, own, peer));
        } catch (IOException e) {
            LOG.warn("Cannot serve {}: {}", peer, e.toString());
            loop.unexpect();
            own.release();
            try {
                accepted.close();
            } catch (IOException again) {
                LOG.debug("Closing the connection of {} failed: {}", peer, again.toString());
            }
        }
    }
}
