// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static BlockLocation location(Extent extent, ServerTable.@Nullable Server server) {
        if (server == null) {
            return new BlockLocation(
                    extent.offset(), extent.length(), extent.block().server(), "", "", "", 0, true);
        }
        String endpoint =
                server.endpoints().isEmpty()
                        ? ""
                        : server.endpoints().get(0).host() + ":" + server.endpoints().get(0).port();
        return new BlockLocation(
                extent.offset(),
                extent.length(),
                server.id(),
                server.host(),
                endpoint,
                server.locationClass(),
                server.storageClass(),
                (extent.block().rights() & BlockReference.LOST) != 0);
    }
}
