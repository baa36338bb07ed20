// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Operation;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.protocol.message.ServerTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The server table as this client knows it. Fetched when a server is unknown, when a keep-alive
 * told of a newer version, and after the session changed, because tickets belong to the session.
 * Thread-safe.
 */
public final class ServerDirectory {
    private record Known(long version, int incarnation, Map<Integer, ServerTable.Server> servers) {}

    private static final Known NOTHING = new Known(0, 0, Map.of());

    private final Session session;
    private volatile Known known = NOTHING;

    public ServerDirectory(Session session) {
        this.session = session;
    }

    /** A server by its id; on the operation's strand. */
    public CompletableFuture<ServerTable.Server> find(Operation operation, int id) {
        ServerTable.Server server = known(id);
        return server != null
                ? CompletableFuture.completedFuture(server)
                : findFresh(operation, id);
    }

    /** A server by its id; null if the namenode has to be asked. */
    ServerTable.@Nullable Server known(int id) {
        Known now = known;
        ServerTable.Server server = now.servers().get(id);
        return server != null && isCurrent(now) ? server : null;
    }

    /** A server as the namenode knows it now. */
    CompletableFuture<ServerTable.Server> findFresh(Operation operation, int id) {
        return fetch(operation)
                .thenApply(
                        fresh -> {
                            ServerTable.Server found = fresh.servers().get(id);
                            if (found == null) {
                                throw new CompletionException(
                                        new ServerLostException(
                                                "storage server "
                                                        + id
                                                        + " is not known to the namenode"));
                            }
                            return found;
                        });
    }

    /** The servers by their ids, fetched if one of these is not among those known, or outdated. */
    public CompletableFuture<Map<Integer, ServerTable.Server>> allOf(
            Operation operation, Set<Integer> ids) {
        Known now = known;
        return ids.isEmpty() || (isCurrent(now) && now.servers().keySet().containsAll(ids))
                ? CompletableFuture.completedFuture(now.servers())
                : fetch(operation).thenApply(Known::servers);
    }

    /** All servers, fetched now. */
    public CompletableFuture<List<ServerTable.Server>> all(Operation operation) {
        return fetch(operation).thenApply(fresh -> List.copyOf(fresh.servers().values()));
    }

    private boolean isCurrent(Known now) {
        return now.version() >= session.serverTableVersion()
                && now.incarnation() == session.incarnation();
    }

    /** Asks for what has changed, so that asking often, while a server is awaited, costs little. */
    private CompletableFuture<Known> fetch(Operation operation) {
        Known before = known;
        return before.incarnation() == session.incarnation()
                ? fetch(operation, before)
                : fetch(operation, NOTHING);
    }

    private CompletableFuture<Known> fetch(Operation operation, Known before) {
        return session.call(operation, new ServerTable.Request(before.version()))
                .thenCompose(
                        reply -> {
                            try {
                                ServerTable.Reply fresh = ServerTable.Reply.decode(reply.control());
                                if (!fresh.unchanged()) {
                                    Map<Integer, ServerTable.Server> servers = new HashMap<>();
                                    Known begun =
                                            new Known(
                                                    fresh.version(), reply.incarnation(), servers);
                                    return goOn(operation, begun, fresh);
                                }
                                // Tickets are those of a session: another one needs the whole.
                                return reply.incarnation() == before.incarnation()
                                        ? CompletableFuture.completedFuture(before)
                                        : fetch(operation, NOTHING);
                            } catch (CrailException e) {
                                return CompletableFuture.failedFuture(e);
                            }
                        });
    }

    /**
     * Adds a page to a table, and asks for the rest. The version stays that of the first page: what
     * changes meanwhile makes the whole table an old one, which is asked for again.
     */
    private CompletableFuture<Known> goOn(
            Operation operation, Known begun, ServerTable.Reply page) {
        for (ServerTable.Server server : page.servers()) {
            begun.servers().put(server.id(), server);
        }
        if (page.nextServer() == 0) {
            Known fresh =
                    new Known(begun.version(), begun.incarnation(), Map.copyOf(begun.servers()));
            known = fresh;
            return CompletableFuture.completedFuture(fresh);
        }
        return session.call(operation, new ServerTable.Request(0, page.nextServer()))
                .thenCompose(
                        reply -> {
                            if (reply.incarnation() != begun.incarnation()) {
                                return fetch(operation, NOTHING);
                            }
                            try {
                                return goOn(
                                        operation,
                                        begun,
                                        ServerTable.Reply.decode(reply.control()));
                            } catch (CrailException e) {
                                return CompletableFuture.failedFuture(e);
                            }
                        });
    }
}
