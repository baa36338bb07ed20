// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.TimeoutException;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.spi.TierStatistics;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves blocks over TCP. Bound when made, so that its port is known; accepts from the first {@link
 * #admit} on.
 *
 * <p>Thread-safe. Owns its event loops; {@link #close} ends them.
 */
public final class TcpDataService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TcpDataService.class);
    private static final int BACKLOG = 1024;
    private static final int CLOSE_SECONDS = 5;

    /** Answers that may wait for a peer before its requests wait, too. */
    private static final WriteBufferWaterMark WATER_MARK =
            new WriteBufferWaterMark(1 << 20, 4 << 20);

    private final ServiceState state;
    private final EventLoopGroup loops;
    private final Channel server;
    private final @Nullable LocalSocket socket;
    private final @Nullable Channel localServer;

    /**
     * Binds a service.
     *
     * @param blocks what is served; segments may be added later
     * @param host address to bind to
     * @param port port to bind to, 0 = any free one
     * @param options of its event loops
     * @param local for clients of this host, null = they use TCP as all others
     * @param gate who may connect
     * @throws CrailException if the transport or the address cannot be had
     */
    public TcpDataService(
            Blocks blocks,
            ServiceLimits limits,
            String host,
            int port,
            LoopOptions options,
            @Nullable LocalAccess local,
            Gatekeeper gate)
            throws CrailException {
        this.state = new ServiceState(blocks, limits, local, gate);
        Transport transport = Transport.of(options.transport());
        int threads = options.threads();
        int loopCount = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
        this.loops =
                new MultiThreadIoEventLoopGroup(
                        loopCount,
                        new DefaultThreadFactory("crail-storage-io", true),
                        transport.handlers(options.busyPoll()));
        try {
            this.server = bind(overTcp(transport), new InetSocketAddress(host, port));
            if (local == null) {
                this.socket = null;
                this.localServer = null;
            } else {
                LocalSocket at = LocalSocket.at(local.socket());
                this.socket = at;
                this.localServer =
                        bind(overUnixSocket(transport), transport.localAddress(at.address()));
            }
        } catch (CrailException e) {
            Future<?> unused = loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
            throw e;
        }
        LOG.debug("Listening on {} by {}", server.localAddress(), transport.label());
    }

    private static Channel bind(ServerBootstrap bootstrap, SocketAddress address)
            throws CrailException {
        ChannelFuture bound = bootstrap.bind(address);
        if (!bound.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS) || !bound.isSuccess()) {
            throw address instanceof InetSocketAddress place
                    ? ListenFailure.of(place, bound.cause())
                    : new InternalException(
                            "cannot listen on " + address + ": " + bound.cause(), bound.cause());
        }
        return bound.channel();
    }

    private ServerBootstrap overTcp(Transport transport) {
        return bootstrap(transport.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true);
    }

    private ServerBootstrap overUnixSocket(Transport transport) {
        return bootstrap(transport.localServerChannel());
    }

    private ServerBootstrap bootstrap(Class<? extends ServerChannel> channel) {
        return new ServerBootstrap()
                .group(loops)
                .channel(channel)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childHandler(
                        new ChannelInitializer<Channel>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                accept(channel);
                            }
                        });
    }

    private void accept(Channel channel) {
        if (state.connections.size() >= state.limits.maxConnections()
                && !state.dropOldestStranger()) {
            state.badPeers.warn(
                    "Turning away",
                    channel.remoteAddress(),
                    "there are " + state.limits.maxConnections() + " connections already");
            ChannelFuture unused = channel.close();
            return;
        }
        Connection connection = new Connection(state, channel);
        state.add(connection);
        channel.config().setRecvByteBufAllocator(connection.receiver());
        channel.pipeline().addLast(connection);
    }

    /** The port that was bound. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /**
     * Serves sessions and references that are sealed as told. If those sealed so far are no longer
     * good, closes all connections first and waits until they are gone.
     *
     * @throws CrailException if connections do not end in time
     */
    public void admit(Admission admission) throws CrailException {
        Admission before = state.admission();
        state.admit(admission);
        if (before != null && !admission.acceptsGrantsOf(before)) {
            closeConnections();
        }
        server.config().setAutoRead(true);
        if (localServer != null) {
            localServer.config().setAutoRead(true);
        }
    }

    /** Closes the connections that hold a reference on a block which is being revoked. */
    public void closeHolders(BlockTable table, int slot, long generation) {
        for (Connection connection : state.connections) {
            connection.closeIfHolding(table, slot, generation);
        }
    }

    public TierStatistics statistics() {
        return new TierStatistics(
                state.connections.size(),
                Math.max(0, state.inFlight.sum()),
                state.bytesRead.sum(),
                state.bytesWritten.sum(),
                0,
                0,
                0,
                state.requests());
    }

    @Override
    public void close() {
        server.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        if (localServer != null) {
            localServer.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        }
        if (socket != null) {
            socket.remove();
        }
        try {
            closeConnections();
        } catch (CrailException e) {
            LOG.warn("Closing: {}", e.getMessage());
        }
        loops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(2L * CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    private void closeConnections() throws TimeoutException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        for (Connection connection : state.connections) {
            connection.close();
        }
        for (Connection connection : state.connections) {
            if (!connection.awaitClosed(end - System.nanoTime())) {
                throw new TimeoutException(
                        "connections did not end within " + CLOSE_SECONDS + " s");
            }
        }
    }
}
