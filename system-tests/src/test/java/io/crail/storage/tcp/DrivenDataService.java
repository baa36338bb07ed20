// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.spi.TierStatistics;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Ticker;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@link TcpDataService} does with the connections it accepts, on one event loop that the test
 * turns.
 */
public final class DrivenDataService {
    private static final int ROUNDS = 64;
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ServiceState state;
    private final ManualIoEventLoop loop;

    public DrivenDataService(Blocks blocks, SelectorProvider network, LongSupplier clock) {
        this.state =
                new ServiceState(
                        blocks,
                        ServiceLimits.DEFAULT,
                        null,
                        new Gatekeeper(Credentials.NONE, Party.STORAGE_SERVER));
        this.loop =
                new ManualIoEventLoop(
                        null,
                        Thread.currentThread(),
                        NioIoHandler.newFactory(network),
                        new ClockTicker(clock));
    }

    private record ClockTicker(LongSupplier clock) implements Ticker {
        @Override
        public long initialNanoTime() {
            return 0;
        }

        @Override
        public long nanoTime() {
            return clock.getAsLong();
        }

        @Override
        public void sleep(long delay, TimeUnit unit) {
            throw new UnsupportedOperationException("nobody sleeps in virtual time");
        }
    }

    /** Serves a connection. */
    public void accept(SocketChannel accepted) {
        Channel channel = new NioSocketChannel(null, accepted);
        Connection connection = new Connection(state, channel);
        state.add(connection);
        channel.config().setRecvByteBufAllocator(connection.receiver());
        channel.pipeline().addLast(connection);
        ChannelFuture unused = register(channel);
    }

    @SuppressWarnings("deprecation") // As all that registers a channel, but for a bootstrap.
    private ChannelFuture register(Channel channel) {
        return loop.register(channel);
    }

    /** What it was told last. */
    public @Nullable Admission admission() {
        return state.admission();
    }

    /** See {@link TcpDataService#admit}; here the caller waits until {@link #isIdle}. */
    public void admit(Admission admission) {
        Admission before = state.admission();
        state.admit(admission);
        if (before != null && !admission.acceptsGrantsOf(before)) {
            state.connections.forEach(Connection::close);
        }
    }

    /** Whether there are no connections. */
    public boolean isIdle() {
        return state.connections.isEmpty();
    }

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
                state.bytesWritten.sum());
    }

    /** One turn; says in how many nanoseconds it wants the next one. */
    public long turn() {
        for (int i = 0; i < ROUNDS && loop.runNow() > 0; i++) {
            // Until there is nothing left to do.
        }
        return isIdle() ? Long.MAX_VALUE : PATIENCE_NANOS;
    }

    /** Lets go of its channels, which are gone already; the loop has no thread to be ended. */
    public void drop() {
        state.connections.forEach(Connection::close);
        turn();
    }
}
