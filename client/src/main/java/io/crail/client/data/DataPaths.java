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
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data paths that are open, one per server, made when first needed and made anew when the
 * session or the server's endpoints change. The endpoints of a server are tried in its order of
 * preference; one that cannot be used from here is passed over until its successor fails.
 * Thread-safe.
 */
public final class DataPaths {
    private static final Logger LOG = LoggerFactory.getLogger(DataPaths.class);

    /**
     * A data path in use.
     *
     * @param peer the server, for messages
     * @param moved counts the bytes that it moves
     * @param server the server as the namenode described it
     * @param position which of its endpoints it is
     */
    public record Route(
            DataPath path,
            DataPeer peer,
            Counters.Moved moved,
            ServerTable.Server server,
            int position) {}

    private final Session session;
    private final ServerDirectory directory;
    private final List<DataPathProvider> providers;
    private final IoContext io;
    private final Counters counters;
    private final String clientName;
    private final int connections;
    private final Map<Integer, Route> routes = new HashMap<>();
    private @Nullable CrailException closed;

    public DataPaths(
            Session session,
            ServerDirectory directory,
            List<DataPathProvider> providers,
            IoContext io,
            Counters counters,
            String clientName,
            int connections) {
        this.session = session;
        this.directory = directory;
        this.providers = List.copyOf(providers);
        this.io = io;
        this.counters = counters;
        this.clientName = clientName;
        this.connections = connections;
    }

    /**
     * The way to a server; on the operation's strand.
     *
     * @param failed a way that led nowhere: the namenode is asked where the server is now, and an
     *     endpoint that was passed over is tried again. Null at first
     */
    public CompletableFuture<Route> route(Operation operation, int server, @Nullable Route failed) {
        if (failed != null) {
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
                .thenApply(found -> routeOrFail(found, null));
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
                    "storage server "
                            + server.id()
                            + " ("
                            + server.host()
                            + ") has been silent for too long and counts as dead; its data is out"
                            + " of reach until it returns");
        }
        Route existing = routes.get(server.id());
        boolean again =
                existing != null
                        && failed != null
                        && existing.path() == failed.path()
                        && existing.position() > first(server);
        if (existing != null && isCurrent(existing, server) && !again) {
            return existing;
        }
        return open(server, 0);
    }

    /**
     * The way that is used instead of one that cannot be used from here.
     *
     * @param why what the path said
     */
    synchronized Route next(Route declined, CrailException why) throws CrailException {
        Route existing = routes.get(declined.server().id());
        if (existing != null && existing.path() != declined.path()) {
            return existing; // Another transfer was told before.
        }
        LOG.debug("{} is not used: {}", declined.peer(), why.getMessage());
        return open(declined.server(), declined.position() + 1);
    }

    private int first(ServerTable.Server server) {
        int position = 0;
        while (position < server.endpoints().size() && provider(server, position) == null) {
            position++;
        }
        return position;
    }

    private @Nullable DataPathProvider provider(ServerTable.Server server, int position) {
        String transport = server.endpoints().get(position).transport();
        for (DataPathProvider provider : providers) {
            if (provider.transport().equals(transport)) {
                return provider;
            }
        }
        return null;
    }

    /** Opens the first way from a position on that this client has a transport for. */
    private Route open(ServerTable.Server server, int from) throws CrailException {
        if (closed != null) {
            throw closed;
        }
        Route existing = routes.remove(server.id());
        if (existing != null) {
            existing.path().close(new ServerLostException(existing.peer() + " moved or was left"));
        }
        for (int position = from; position < server.endpoints().size(); position++) {
            DataPathProvider provider = provider(server, position);
            if (provider != null) {
                DataPeer peer = peer(server, server.endpoints().get(position));
                Route made =
                        new Route(
                                provider.open(peer, io),
                                peer,
                                counters.moved(provider.transport()),
                                server,
                                position);
                routes.put(server.id(), made);
                return made;
            }
        }
        throw new ServerLostException(
                "storage server "
                        + server.id()
                        + " ("
                        + server.host()
                        + ") offers no transport that this client can use: "
                        + server.endpoints());
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
                connections);
    }

    private boolean isCurrent(Route route, ServerTable.Server server) {
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
