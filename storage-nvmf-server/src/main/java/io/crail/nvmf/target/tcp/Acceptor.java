// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.memory.DataBuffer;
import io.crail.nvmf.target.memory.DataPool;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections and gives each to the event loop that has the fewest. Belongs to the first
 * loop. A connection that is one too many is closed at once: it costs nothing and its host tries
 * again.
 */
final class Acceptor implements EventLoop.Selected, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    private final TcpServices services;
    private final List<EventLoop> loops;
    private final ServerSocketChannel channel;

    /** One buffer for each connection: see {@link Memory}. */
    private final DataPool capsules;

    private boolean full;

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
            channel.register(loops.get(0).selector(), SelectionKey.OP_ACCEPT, this);
        } catch (IOException e) {
            LOG.error("Cannot accept connections", e);
        }
    }

    @Override
    public void onSelected() {
        try {
            SocketChannel accepted = channel.accept();
            if (accepted != null) {
                take(accepted);
            }
        } catch (IOException e) {
            LOG.warn("Cannot accept a connection: {}", e.toString());
        }
    }

    private void take(SocketChannel accepted) throws IOException {
        boolean kept = false;
        try {
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            String peer = String.valueOf(accepted.getRemoteAddress());
            DataBuffer own = count() < services.settings().maxConnections() ? takeBuffer() : null;
            if (own == null) {
                refuse(peer);
                return;
            }
            full = false;
            EventLoop loop =
                    loops.stream().min(Comparator.comparing(EventLoop::connectionCount)).get();
            loop.post(() -> begin(loop, accepted, own, peer));
            kept = true;
        } finally {
            if (!kept) {
                accepted.close();
            }
        }
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
            own.release();
            try {
                accepted.close();
            } catch (IOException again) {
                LOG.debug("Closing the connection of {} failed: {}", peer, again.toString());
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
