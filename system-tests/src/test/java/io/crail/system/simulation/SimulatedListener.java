// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A listening socket: one for each machine. */
final class SimulatedListener extends ServerSocketChannel implements SimulatedSelector.Channel {
    private final Machine machine;
    private final ArrayDeque<SimulatedSocket> backlog = new ArrayDeque<>();
    private SimulatedSelector.@Nullable Key key;
    private Runnable whenOffered = () -> {};
    private int port;

    SimulatedListener(Machine machine) {
        super(machine);
        this.machine = machine;
    }

    /** For who accepts without a selector. */
    void whenOffered(Runnable action) {
        whenOffered = action;
    }

    int port() {
        return port;
    }

    void offer(SimulatedSocket socket) {
        backlog.add(socket);
        whenOffered.run();
        if (key != null) {
            key.changed();
        }
    }

    @Override
    public int ready() {
        return backlog.isEmpty() ? 0 : SelectionKey.OP_ACCEPT;
    }

    @Override
    public void registered(SimulatedSelector.Key registered) {
        key = registered;
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int length) {
        port = ((InetSocketAddress) local).getPort();
        machine.listen(this);
        return this;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) {
        return null;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public ServerSocket socket() {
        try {
            return new ServerSocket() {
                @Override
                public SocketAddress getLocalSocketAddress() {
                    return getLocalAddress();
                }
            };
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public @Nullable SocketChannel accept() {
        return backlog.poll();
    }

    @Override
    public SocketAddress getLocalAddress() {
        return new InetSocketAddress(machine.host(), port);
    }

    @Override
    protected void implCloseSelectableChannel() {
        machine.listen(null);
        backlog.forEach(SimulatedSocket::abort);
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // Never blocks.
    }
}
