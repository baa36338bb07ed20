// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.ClientStatistics;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics.ServerCapacity;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether it pays to compress what goes to the store. It does wherever bytes go over a
 * network, and where memory is short. It does not where the one host that has storage servers is
 * this one, and less than half of the fastest storage class is taken: there LZ4 costs more than the
 * shorter copy saves. Looks again while the client writes, so that not much goes uncompressed to a
 * class that fills up; seldom where a network decides, since a large cluster has many executors
 * that would ask for many servers. Thread-safe; one thread looks.
 */
final class CompressionWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CompressionWatch.class);
    private static final int FASTEST = 0;

    /** Looks that are left out where bytes go over a network: hosts come and go seldom. */
    private static final int LEFT_OUT = 119;

    private static final String SHARED_MEMORY = "shm";

    private final CrailClient client;
    private final int storageClass;
    private volatile boolean pays = true;
    private long written = -1;
    private int leaveOut;

    /**
     * Of a client that writes for one application; compression pays until it has looked.
     *
     * @param storageClass where all is written to
     */
    CompressionWatch(CrailClient client, int storageClass) {
        this.client = client;
        this.storageClass = storageClass;
    }

    boolean pays() {
        return pays;
    }

    /** Looks at the servers, if anything was written since the last time. */
    void look() {
        if (leaveOut > 0) {
            leaveOut--;
            return;
        }
        ClientStatistics mine = client.clientStatistics();
        if (mine.bytesWritten() == written) {
            return;
        }
        try {
            boolean local = mine.over(SHARED_MEMORY).bytesWritten() == mine.bytesWritten();
            List<ServerCapacity> servers = client.statistics().servers();
            boolean network = !local || areApart(servers);
            pays = network || pays(servers, storageClass);
            leaveOut = network ? LEFT_OUT : 0;
            written = mine.bytesWritten();
        } catch (CrailException e) {
            LOG.debug("Cannot ask for the room in storage class {}", storageClass, e);
        }
    }

    /** Whether it pays for somebody on the host of one of these servers. */
    static boolean pays(List<ServerCapacity> servers, int storageClass) {
        if (storageClass != FASTEST || areApart(servers)) {
            return true;
        }
        long capacity = 0;
        long free = 0;
        for (ServerCapacity each : servers) {
            if (isThere(each) && each.storageClass() == storageClass) {
                capacity += each.capacity();
                free += each.free();
            }
        }
        return free * 2 <= capacity;
    }

    private static boolean isThere(ServerCapacity server) {
        return server.state() != ServerState.DEAD.wire();
    }

    private static boolean areApart(List<ServerCapacity> servers) {
        return servers.stream()
                        .filter(CompressionWatch::isThere)
                        .map(ServerCapacity::host)
                        .distinct()
                        .count()
                > 1;
    }
}
