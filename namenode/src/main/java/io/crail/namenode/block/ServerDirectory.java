// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds servers, segments and slabs by their numbers. */
final class ServerDirectory {
    private @Nullable StorageServer[] servers = new @Nullable StorageServer[16];

    void add(StorageServer server) {
        int id = server.id;
        if (id < 0 || id >= BlockMap.MAX_SERVERS || find(id) != null) {
            throw new IllegalStateException("storage server " + id + " cannot be added");
        }
        if (id >= servers.length) {
            servers = Arrays.copyOf(servers, Math.max(id + 1, 2 * servers.length));
        }
        servers[id] = server;
    }

    int[] ids() {
        return IntStream.range(0, servers.length).filter(i -> servers[i] != null).toArray();
    }

    void forEach(Consumer<StorageServer> action) {
        for (StorageServer server : servers) {
            if (server != null) {
                action.accept(server);
            }
        }
    }

    @Nullable StorageServer find(int id) {
        return id >= 0 && id < servers.length ? servers[id] : null;
    }

    @Nullable Slab find(int server, int segment, int record) {
        StorageServer owner = find(server);
        Segment target = owner == null ? null : owner.segment(segment);
        return target == null || record < 0 ? null : target.slabOf(record);
    }

    StorageServer get(int id) {
        StorageServer server = find(id);
        if (server == null) {
            throw new IllegalStateException("storage server " + id + " is not known");
        }
        return server;
    }

    Segment segment(int server, int segment) {
        Segment target = get(server).segment(segment);
        if (target == null) {
            throw new IllegalStateException(
                    "segment " + segment + " of storage server " + server + " is not known");
        }
        return target;
    }

    Slab slab(int server, int segment, int record) {
        Slab slab = record < 0 ? null : segment(server, segment).slabOf(record);
        if (slab == null) {
            throw new IllegalStateException(
                    "record "
                            + record
                            + " of segment "
                            + segment
                            + " of storage server "
                            + server
                            + " is not known");
        }
        return slab;
    }
}
