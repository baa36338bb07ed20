// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which machine is at which address, and the connections between them. */
final class Network {
    private static final long CONNECT_NANOS = 100_000;

    private final Timeline timeline;
    private final Map<String, Machine> machines = new HashMap<>();
    private final List<Connection> connections = new ArrayList<>();

    Network(Timeline timeline) {
        this.timeline = timeline;
    }

    Timeline timeline() {
        return timeline;
    }

    /** A machine at an address, in the place of the one that was there. */
    Machine start(String host) {
        Machine machine = new Machine(this, host);
        machines.put(host, machine);
        return machine;
    }

    /** Begins to connect; the socket hears how it went. */
    void connect(SimulatedSocket socket, InetSocketAddress to) {
        timeline.after(
                CONNECT_NANOS + timeline.jitter(CONNECT_NANOS),
                () -> {
                    if (!socket.isOpen()) {
                        return;
                    }
                    Machine server = machines.get(to.getHostString());
                    SimulatedListener listener = server == null ? null : server.listener();
                    if (server == null || listener == null || listener.port() != to.getPort()) {
                        socket.refused();
                        return;
                    }
                    Connection made = new Connection(timeline, socket, server, to);
                    connections.removeIf(old -> !old.isOpen());
                    connections.add(made);
                    socket.attach(
                            made, made.toServer, made.toClient, socket.machine().nextAddress(), to);
                    socket.changed();
                    listener.offer(made.serverEnd);
                });
    }

    /** One of the open connections, or null if there is none. */
    @Nullable Connection pick(int number) {
        connections.removeIf(old -> !old.isOpen());
        return connections.isEmpty()
                ? null
                : connections.get(Math.floorMod(number, connections.size()));
    }
}
