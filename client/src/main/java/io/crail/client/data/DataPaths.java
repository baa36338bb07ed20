// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Operation;
import io.crail.client.rpc.Session;
import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPathProvider;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The data paths that are open, one per server, made when first needed and made anew when the
 * session or the server's endpoint changes. Thread-safe.
 */
public final class DataPaths {
    /**
     * A data path.
     *
     * @param peer its server, for messages
     * @param expected whether the server is away and expected back, by the table that was used
     */
    public record Route(DataPath path, DataPeer peer, boolean expected) {}

    /** A data path that is kept. */
    private record Opened(DataPath path, DataPeer peer) {}

    private final Session session;
    private final ServerDirectory directory;
    private final List<DataPathProvider> providers;
    private final IoContext io;
    private final String clientName;
    private final Credentials credentials;
    private final int connections;
    private final Map<Integer, Opened> routes = new HashMap<>();
    private @Nullable CrailException closed;

    public DataPaths(
            Session session,
            ServerDirectory directory,
            List<DataPathProvider> providers,
            IoContext io,
            String clientName,
            Credentials credentials,
            int connections) {
        this.session = session;
        this.directory = directory;
        this.providers = List.copyOf(providers);
        this.io = io;
        this.clientName = clientName;
        this.credentials = credentials;
        this.connections = connections;
    }

    /**
     * The way to a server; on the operation's strand.
     *
     * @param afresh ask the namenode where it is now: the way that is known leads nowhere
     */
    public CompletableFuture<Route> route(Operation operation, int server, boolean afresh) {
        if (afresh) {
            return directory.findFresh(operation, server).thenApply(this::routeOrFail);
        }
        return directory
                .find(operation, server)
                .thenCompose(
                        found ->
                                found.state() == ServerState.DEAD.wire()
                                        ? directory.findFresh(operation, server)
                                        : CompletableFuture.completedFuture(found))
                .thenApply(this::routeOrFail);
    }

    CompletableFuture<Set<Integer>> serversAway(Operation operation) {
        return directory
                .all(operation)
                .thenApply(
                        servers ->
                                servers.stream()
                                        .filter(DataPaths::isAway)
                                        .map(ServerTable.Server::id)
                                        .collect(Collectors.toUnmodifiableSet()));
    }

    private static boolean isAway(ServerTable.Server server) {
        return server.state() == ServerState.EXPECTED.wire()
                || server.state() == ServerState.DEAD.wire();
    }

    private Route routeOrFail(ServerTable.Server server) {
        try {
            return route(server);
        } catch (CrailException e) {
            throw new CompletionException(e);
        }
    }

    private Route route(ServerTable.Server server) throws CrailException {
        if (server.state() == ServerState.DEAD.wire()) {
            throw new ServerLostException(
                    name(server)
                            + " has been silent for too long and counts as dead; its data is out"
                            + " of reach until it returns");
        }
        for (ServerTable.Endpoint endpoint : server.endpoints()) {
            for (DataPathProvider provider : providers) {
                if (provider.transport().equals(endpoint.transport())) {
                    Opened way = open(provider, endpoint, server);
                    boolean expected = server.state() == ServerState.EXPECTED.wire();
                    return new Route(way.path(), way.peer(), expected);
                }
            }
        }
        throw new ServerLostException(
                name(server) + " offers no transport that this client has: " + server.endpoints());
    }

    /** For messages, as that of a peer. */
    private static String name(ServerTable.Server server) {
        List<ServerTable.Endpoint> endpoints = server.endpoints();
        String at =
                endpoints.isEmpty()
                        ? server.host()
                        : endpoints.get(0).host() + ":" + endpoints.get(0).port();
        return "storage server " + server.id() + " (" + at + ")";
    }

    private synchronized Opened open(
            DataPathProvider provider, ServerTable.Endpoint endpoint, ServerTable.Server server)
            throws CrailException {
        if (closed != null) {
            throw closed;
        }
        Opened existing = routes.get(server.id());
        if (existing != null && isCurrent(existing.peer(), endpoint, server)) {
            return existing;
        }
        if (existing != null) {
            existing.path().close(new ServerLostException(existing.peer() + " moved or was left"));
        }
        DataPeer peer =
                new DataPeer(
                        server.id(),
                        endpoint.host(),
                        endpoint.port(),
                        session.cluster(),
                        session.sessionId(),
                        server.ticket(),
                        session.epoch(),
                        clientName,
                        credentials,
                        connections);
        Opened made = new Opened(provider.open(peer, io), peer);
        routes.put(server.id(), made);
        return made;
    }

    private boolean isCurrent(
            DataPeer peer, ServerTable.Endpoint endpoint, ServerTable.Server server) {
        return peer.session() == session.sessionId()
                && peer.ticket() == server.ticket()
                && peer.port() == endpoint.port()
                && peer.host().equals(endpoint.host());
    }

    /** Closes all paths; their transfers fail with the cause. */
    public synchronized void close(CrailException cause) {
        closed = cause;
        routes.values().forEach(route -> route.path().close(cause));
        routes.clear();
    }
}
