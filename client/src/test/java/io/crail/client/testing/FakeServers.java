// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What the fake namenode knows of the storage servers. */
final class FakeServers {
    private final List<FakeStorage> storages;
    private final Map<Integer, ServerState> states = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong(1);
    private volatile String firstTransport = "carrier pigeon";
    private int next;

    FakeServers(List<FakeStorage> storages) {
        this.storages = storages;
    }

    List<FakeStorage> storages() {
        return storages;
    }

    void firstTransport(String name) {
        firstTransport = name;
    }

    void state(int server, ServerState state) {
        states.put(server, state);
        version.incrementAndGet();
    }

    private ServerState state(int server) {
        return states.getOrDefault(server, ServerState.LIVE);
    }

    long version() {
        return version.get();
    }

    ServerTable.Reply table(ServerTable.Request request) {
        long now = version.get();
        List<ServerTable.Server> servers = new ArrayList<>();
        if (request.knownVersion() == now) {
            return new ServerTable.Reply(now, true, servers);
        }
        for (FakeStorage storage : storages) {
            servers.add(
                    new ServerTable.Server(
                            storage.id(),
                            state(storage.id()).wire(),
                            "dram",
                            0,
                            "host-" + storage.id(),
                            "",
                            storage.id() * 7L,
                            List.of(
                                    new ServerTable.Endpoint(
                                            firstTransport, "127.0.0.1", storage.port()),
                                    new ServerTable.Endpoint("tcp", "127.0.0.1", storage.port()))));
        }
        return new ServerTable.Reply(now, false, servers);
    }

    /** The next server for a block. */
    FakeStorage usable(Set<Integer> excluded) throws OutOfSpaceException {
        for (int i = 0; i < storages.size(); i++) {
            FakeStorage storage = storages.get(next++ % storages.size());
            if (!excluded.contains(storage.id()) && state(storage.id()) == ServerState.LIVE) {
                return storage;
            }
        }
        throw new OutOfSpaceException("no server is left");
    }

    /** Whether blocks there may be committed. */
    void checkReachable(int server) throws CrailException {
        if (state(server) == ServerState.EXPECTED) {
            throw new BusyException("server " + server + " is not connected");
        }
        if (state(server) == ServerState.DEAD) {
            throw new ServerLostException("server " + server + " is dead");
        }
    }
}
