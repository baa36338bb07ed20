// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Storage servers and block locations as the application sees them. Stateless, thread-safe. */
final class Locations {
    private final ClientCore core;

    Locations(ClientCore core) {
        this.core = core;
    }

    CompletableFuture<List<StorageServer>> servers(Operation operation) {
        return core.directory()
                .all(operation)
                .thenApply(
                        all ->
                                all.stream()
                                        .map(Locations::server)
                                        .sorted((a, b) -> Integer.compare(a.id(), b.id()))
                                        .toList());
    }

    private static StorageServer server(ServerTable.Server server) {
        return new StorageServer(
                server.id(),
                state(server.state()),
                server.tier(),
                server.storageClass(),
                server.host(),
                server.locationClass(),
                server.endpoints().stream()
                        .map(e -> e.transport() + "://" + e.host() + ":" + e.port())
                        .toList());
    }

    /** A state that a newer namenode invented counts as out of reach. */
    private static ServerState state(int wire) {
        try {
            return ServerState.ofWire(wire);
        } catch (ProtocolException e) {
            return ServerState.DEAD;
        }
    }

    CompletableFuture<List<BlockLocation>> of(Operation operation, List<Extent> extents) {
        return core.directory()
                .all(operation)
                .thenApply(
                        all -> {
                            Map<Integer, ServerTable.Server> servers = new HashMap<>();
                            all.forEach(server -> servers.put(server.id(), server));
                            List<BlockLocation> locations = new ArrayList<>();
                            for (Extent extent : extents) {
                                locations.add(
                                        location(extent, servers.get(extent.block().server())));
                            }
                            return locations;
                        });
    }

    /**
     * A page of a container.
     *
     * @param after last name seen; null = from the start
     */
    CompletableFuture<Pages.Page<LocatedEntry>> list(
            Operation operation,
            Namespace namespace,
            String path,
            @Nullable String after,
            int limit)
            throws CrailException {
        return namespace
                .list(operation, path, Namespace.cursor(after), limit, ListEntries.PLACES)
                .thenCompose(
                        page ->
                                core.directory()
                                        .allOf(operation, serversOf(page))
                                        .thenApply(servers -> located(page, servers)));
    }

    private static Set<Integer> serversOf(ListEntries.Reply page) {
        Set<Integer> servers = new HashSet<>();
        for (ListEntries.Entry entry : page.entries()) {
            for (ListEntries.Place place : entry.places()) {
                servers.add(place.server());
            }
        }
        return servers;
    }

    private static Pages.Page<LocatedEntry> located(
            ListEntries.Reply page, Map<Integer, ServerTable.Server> servers) {
        List<LocatedEntry> entries = new ArrayList<>(page.entries().size());
        for (ListEntries.Entry entry : page.entries()) {
            List<BlockLocation> locations = new ArrayList<>(entry.places().size());
            long end = 0;
            for (ListEntries.Place place : entry.places()) {
                locations.add(
                        location(
                                end,
                                place.length(),
                                place.server(),
                                servers.get(place.server()),
                                false));
                end += place.length();
            }
            boolean complete = end >= entry.status().length();
            entries.add(
                    new LocatedEntry(
                            new String(entry.name(), StandardCharsets.UTF_8),
                            entry.status(),
                            complete ? Optional.of(locations) : Optional.empty()));
        }
        return new Pages.Page<>(entries, page.more());
    }

    private static BlockLocation location(Extent extent, ServerTable.@Nullable Server server) {
        return location(
                extent.offset(),
                extent.length(),
                extent.block().server(),
                server,
                (extent.block().rights() & BlockReference.LOST) != 0);
    }

    private static BlockLocation location(
            long offset, long length, int id, ServerTable.@Nullable Server server, boolean lost) {
        if (server == null) {
            return new BlockLocation(offset, length, id, "", "", "", 0, true);
        }
        String endpoint =
                server.endpoints().isEmpty()
                        ? ""
                        : server.endpoints().get(0).host() + ":" + server.endpoints().get(0).port();
        return new BlockLocation(
                offset,
                length,
                server.id(),
                server.host(),
                endpoint,
                server.locationClass(),
                server.storageClass(),
                lost || state(server.state()) == ServerState.DEAD);
    }
}
