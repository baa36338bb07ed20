// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Counters;
import io.crail.client.engine.Operation;
import io.crail.client.rpc.Session;
import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPathProvider;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data paths that are open, one per server, made when first needed and made anew when the
 * session or the server's endpoints change. The endpoints of a server are tried in its order, those
 * of this host first; one that cannot be used from here is passed over until its successor breaks.
 * Thread-safe.
 */
public final class DataPaths {
    private static final Logger LOG = LoggerFactory.getLogger(DataPaths.class);

    /**
     * A data path.
     *
     * @param way what is kept of it
     * @param expected whether the server is away and expected back, by the table that was used
     */
    public record Route(Opened way, boolean expected) {
        public DataPath path() {
            return way.path();
        }

        /** The server, for messages. */
        public DataPeer peer() {
            return way.peer();
        }

        /** Counts the bytes that it moves. */
        Counters.Moved moved() {
            return way.moved();
        }
    }

    /**
     * A data path that is kept.
     *
     * @param server the server as the namenode described it
     * @param position which of the ways to it this is, in order of preference
     * @param local whether it leads to memory of this host
     */
    private record Opened(
            DataPath path,
            DataPeer peer,
            Counters.Moved moved,
            ServerTable.Server server,
            int position,
            boolean local) {}

    private final Session session;
    private final ServerDirectory directory;
    private final List<DataPathProvider> providers;
    private final IoContext io;
    private final Counters counters;
    private final String clientName;
    private final Credentials credentials;
    private final int connections;

    /** Changed under the lock. */
    private final Map<Integer, Opened> routes = new ConcurrentHashMap<>();

    private @Nullable CrailException closed;

    public DataPaths(
            Session session,
            ServerDirectory directory,
            List<DataPathProvider> providers,
            IoContext io,
            Counters counters,
            String clientName,
            Credentials credentials,
            int connections) {
        this.session = session;
        this.directory = directory;
        this.providers = List.copyOf(providers);
        this.io = io;
        this.counters = counters;
        this.clientName = clientName;
        this.credentials = credentials;
        this.connections = connections;
    }

    /**
     * The way to a server; on the operation's strand.
     *
     * @param afresh ask the namenode where it is now: the way that is known leads nowhere
     * @param failed the way that led nowhere, if one did: if another one was passed over for it,
     *     that is tried again
     */
    CompletableFuture<Route> route(
            Operation operation, int server, boolean afresh, @Nullable Route failed) {
        if (afresh) {
            return directory
                    .findFresh(operation, server)
                    .thenApply(found -> routeOrFail(found, failed));
        }
        return directory
                .find(operation, server)
                .thenCompose(
                        found ->
                                found.state() == ServerState.DEAD.wire()
                                        ? directory.findFresh(operation, server)
                                        : CompletableFuture.completedFuture(found))
                .thenApply(found -> routeOrFail(found, failed));
    }

    /**
     * The way by which a block can be reached at once, in the calling thread; null if there is
     * none, or anything has to be found out before.
     */
    @Nullable Route routeNow(BlockReference block) {
        Opened known = routes.get(block.server());
        if (known == null || !known.path().isAtHand(block)) {
            return null;
        }
        ServerTable.Server server = directory.known(block.server());
        boolean usable =
                server != null
                        && server.state() != ServerState.DEAD.wire()
                        && isCurrent(known, server)
                        && (known.position() == 0 || !known.path().wasInterrupted());
        return usable ? new Route(known, false) : null;
    }

    /** The session in which references are granted now. */
    long session() {
        return session.sessionId();
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

    private Route routeOrFail(ServerTable.Server server, @Nullable Route failed) {
        try {
            return route(server, failed);
        } catch (CrailException e) {
            throw new CompletionException(e);
        }
    }

    private synchronized Route route(ServerTable.Server server, @Nullable Route failed)
            throws CrailException {
        if (server.state() == ServerState.DEAD.wire()) {
            throw new ServerLostException(
                    name(server)
                            + " has been silent for too long and counts as dead; its data is out"
                            + " of reach until it returns");
        }
        boolean expected = server.state() == ServerState.EXPECTED.wire();
        Opened existing = routes.get(server.id());
        boolean again =
                existing != null
                        && existing.position() > 0
                        && (existing.path().wasInterrupted()
                                || (failed != null && existing.path() == failed.path()));
        if (existing != null && isCurrent(existing, server) && !again) {
            return new Route(existing, expected);
        }
        return new Route(open(server, 0), expected);
    }

    /** Whether the way to a server that is used now leads to memory of this host. */
    public boolean isLocal(int server) {
        Opened existing = routes.get(server);
        return existing != null && existing.local();
    }

    /** Whether the way to a server that is used now may lend what is read. */
    public boolean lendsReads(int server) {
        Opened existing = routes.get(server);
        return existing != null && existing.path().lendsReads();
    }

    /** Whether the way to a server that is used now leads to its memory. */
    boolean lends(int server) {
        Opened existing = routes.get(server);
        return existing != null && existing.path().lends();
    }

    /**
     * The way that is used instead of one that cannot be used from here.
     *
     * @param why what the path said
     */
    synchronized Route next(Route declined, CrailException why) throws CrailException {
        ServerTable.Server server = declined.way().server();
        Opened existing = routes.get(server.id());
        if (existing != null && existing.path() != declined.path()) {
            return new Route(existing, declined.expected()); // Another transfer was told before.
        }
        LOG.debug("{} is not used: {}", declined.peer(), why.getMessage());
        return new Route(open(server, declined.way().position() + 1), declined.expected());
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

    /** An endpoint and the transport for it. */
    private record Way(DataPathProvider provider, ServerTable.Endpoint endpoint) {}

    /** The ways to a server in order of preference. */
    private List<Way> ways(ServerTable.Server server) {
        List<Way> ways = new ArrayList<>();
        for (ServerTable.Endpoint endpoint : server.endpoints()) {
            for (DataPathProvider provider : providers) {
                if (provider.transport().equals(endpoint.transport())) {
                    ways.add(new Way(provider, endpoint));
                }
            }
        }
        ways.sort(Comparator.comparing(way -> !way.provider().isLocal()));
        return ways;
    }

    /** Opens the way at a position. */
    private Opened open(ServerTable.Server server, int position) throws CrailException {
        if (closed != null) {
            throw closed;
        }
        Opened existing = routes.remove(server.id());
        if (existing != null) {
            existing.path().close(new ServerLostException(existing.peer() + " moved or was left"));
        }
        List<Way> ways = ways(server);
        if (position >= ways.size()) {
            throw new ServerLostException(
                    name(server)
                            + " offers no transport that this client can use: "
                            + server.endpoints());
        }
        Way way = ways.get(position);
        DataPeer peer = peer(server, way.endpoint());
        Counters.Moved moved = counters.moved(way.provider().transport(), server.storageClass());
        Opened made =
                new Opened(
                        way.provider().open(peer, io),
                        peer,
                        moved,
                        server,
                        position,
                        way.provider().isLocal());
        routes.put(server.id(), made);
        return made;
    }

    /** A way that carries questions, which the caller closes: nobody else uses it. */
    DataPath apart(ServerTable.Server server) throws ServerLostException {
        for (Way way : ways(server)) {
            if (way.provider().carriesQuestions()) {
                return way.provider().open(peer(server, way.endpoint()), io);
            }
        }
        throw new ServerLostException(
                name(server) + " cannot be asked over any transport it offers");
    }

    private DataPeer peer(ServerTable.Server server, ServerTable.Endpoint endpoint) {
        return new DataPeer(
                server.id(),
                endpoint.host(),
                endpoint.port(),
                session.cluster(),
                session.sessionId(),
                server.ticket(),
                session.epoch(),
                clientName,
                credentials,
                connections,
                server.storageClass());
    }

    private boolean isCurrent(Opened route, ServerTable.Server server) {
        return route.peer().session() == session.sessionId()
                && route.server().ticket() == server.ticket()
                && route.server().endpoints().equals(server.endpoints());
    }

    /** Closes all paths; their transfers fail with the cause. */
    public synchronized void close(CrailException cause) {
        closed = cause;
        routes.values().forEach(route -> route.path().close(cause));
        routes.clear();
    }
}
