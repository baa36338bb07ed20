// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.namenode.state.ServerIdentity;
import io.crail.namenode.state.State;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.util.ArrayList;
import java.util.List;

/**
 * How full the storage classes are at one moment. Only servers that are live count: blocks of
 * others cannot be moved, and their capacity is of no use. Used is what is granted or committed:
 * what was moved away and waits to be fenced is on its way to being free, however long a view of it
 * stays open.
 */
final class Rooms {
    static final int CLASSES = 256;

    private final long[] capacity = new long[CLASSES];
    private final long[] used = new long[CLASSES];
    private final int highPercent;
    private final int lowPercent;

    private Rooms(int highPercent, int lowPercent) {
        this.highPercent = highPercent;
        this.lowPercent = lowPercent;
    }

    static Rooms of(State state, int highPercent, int lowPercent) {
        Rooms rooms = new Rooms(highPercent, lowPercent);
        for (ServerIdentity server : state.servers().all()) {
            if (state.blocks().serverState(server.id()) == ServerState.LIVE) {
                Statistics.Capacity bytes = state.blocks().serverCapacity(server.id());
                rooms.capacity[server.storageClass()] += bytes.capacity();
                rooms.used[server.storageClass()] += bytes.granted() + bytes.committed();
            }
        }
        return rooms;
    }

    /** Classes that have servers, in order. */
    List<Integer> classes() {
        List<Integer> there = new ArrayList<>();
        for (int i = 0; i < CLASSES; i++) {
            if (capacity[i] > 0) {
                there.add(i);
            }
        }
        return there;
    }

    long capacity(int storageClass) {
        return capacity[storageClass];
    }

    long used(int storageClass) {
        return used[storageClass];
    }

    boolean isAboveHigh(int storageClass) {
        return used[storageClass] > share(storageClass, highPercent);
    }

    /** Bytes above the low-water mark; negative below it. */
    long aboveLow(int storageClass) {
        return used[storageClass] - share(storageClass, lowPercent);
    }

    /** Bytes up to the high-water mark; negative above it. */
    long belowHigh(int storageClass) {
        return share(storageClass, highPercent) - used[storageClass];
    }

    private long share(int storageClass, int percent) {
        return capacity[storageClass] / 100 * percent
                + capacity[storageClass] % 100 * percent / 100;
    }
}
