// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One life of a process on the network: makes its channels, and takes them all down with it. */
final class Machine extends SelectorProvider {
    private final Network network;
    private final String host;
    private final List<SimulatedSocket> sockets = new ArrayList<>();
    private final List<SimulatedSelector> selectors = new ArrayList<>();
    private @Nullable SimulatedListener listener;
    private int nextPort = 20_000;
    private boolean alive = true;

    Machine(Network network, String host) {
        this.network = network;
        this.host = host;
    }

    Network network() {
        return network;
    }

    String host() {
        return host;
    }

    boolean isAlive() {
        return alive;
    }

    InetSocketAddress nextAddress() {
        return new InetSocketAddress(host, nextPort++);
    }

    void add(SimulatedSocket socket) {
        sockets.removeIf(old -> !old.isOpen());
        sockets.add(socket);
    }

    void listen(@Nullable SimulatedListener at) {
        listener = at;
    }

    @Nullable SimulatedListener listener() {
        return alive ? listener : null;
    }

    /** From now on the process has a turn when a channel of a selector made so far is ready. */
    void ownSelectors(SimulatedProcess process) {
        selectors.forEach(selector -> selector.owner(process));
        List<SimulatedSelector> owned = List.copyOf(selectors);
        process.again(() -> owned.stream().anyMatch(SimulatedSelector::hasReady));
    }

    /** Kill -9: the kernel closes what was open. */
    void kill() {
        alive = false;
        for (SimulatedSocket socket : sockets) {
            socket.abort();
        }
        sockets.clear();
    }

    @Override
    public AbstractSelector openSelector() {
        SimulatedSelector selector = new SimulatedSelector(this);
        selectors.add(selector);
        return selector;
    }

    @Override
    public SocketChannel openSocketChannel() {
        return new SimulatedSocket(this);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
        return new SimulatedListener(this);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        throw new IOException("no datagrams here");
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        throw new IOException("no datagrams here");
    }

    @Override
    public java.nio.channels.Pipe openPipe() throws IOException {
        throw new IOException("no pipes here");
    }
}
