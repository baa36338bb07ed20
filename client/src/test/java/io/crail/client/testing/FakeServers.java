// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import io.crail.protocol.message.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What the fake namenode knows of the storage servers. */
final class FakeServers {
    private final List<FakeStorage> storages;
    private final Map<Integer, ServerState> states = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong(1);
    private volatile String firstTransport = "carrier pigeon";
    private volatile int pageSize = Integer.MAX_VALUE;
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

    /** How many are told of in one answer. */
    void pageSize(int servers) {
        pageSize = servers;
    }

    /** Counters of which those of the servers say something: their ids. */
    Statistics.Reply statistics(Statistics.Request request) {
        List<Statistics.ServerCapacity> servers = new ArrayList<>();
        int next = 0;
        for (FakeStorage storage : storages) {
            if (storage.id() >= request.fromServer() && servers.size() < pageSize) {
                servers.add(capacity(storage.id()));
            } else if (storage.id() >= request.fromServer() && next == 0) {
                next = storage.id();
            }
        }
        return new Statistics.Reply(
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                List.of(),
                servers,
                new UUID(0, 0),
                0,
                0,
                0,
                "",
                "",
                next);
    }

    private Statistics.ServerCapacity capacity(int server) {
        return new Statistics.ServerCapacity(
                server,
                state(server).wire(),
                "host-" + server,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                "",
                "");
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
            if (storage.id() < request.fromServer()) {
                continue;
            }
            if (servers.size() == pageSize) {
                return new ServerTable.Reply(now, false, servers, storage.id());
            }
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
