// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import java.util.Arrays;

/** The servers of each storage class, in the order in which they came. */
final class StorageClasses {
    static final int COUNT = 256;

    private static final StorageServer[] NONE = {};

    private final StorageServer[][] servers = new StorageServer[COUNT][];
    private final ClassRoom[] rooms = new ClassRoom[COUNT];

    /** For round-robin: how many choices each class has seen. */
    private final int[] turns = new int[COUNT];

    StorageClasses() {
        Arrays.fill(servers, NONE);
        Arrays.setAll(rooms, ClassRoom::new);
    }

    void add(StorageServer server) {
        int rank = server.storageClass;
        servers[rank] = Arrays.copyOf(servers[rank], servers[rank].length + 1);
        servers[rank][servers[rank].length - 1] = server;
    }

    StorageServer[] of(int storageClass) {
        return servers[storageClass];
    }

    /** What the servers of a class have. */
    ClassRoom room(int storageClass) {
        return rooms[storageClass];
    }

    int turn(int storageClass) {
        return turns[storageClass]++ & Integer.MAX_VALUE;
    }
}
