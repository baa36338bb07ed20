// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.ClientStatistics;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics.ServerCapacity;
import java.util.List;
import java.util.Map;
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

    /** What it looks at. */
    interface Source {
        /** Counters of the client that writes. */
        ClientStatistics written();

        /** All storage servers. */
        List<ServerCapacity> servers() throws CrailException;
    }

    private final Source source;
    private final int storageClass;
    private volatile boolean pays = true;

    /** Bytes written to memory of this host when it looked last; negative before it has. */
    private long inMemory = -1;

    /** Bytes written by all other transports then. */
    private long elsewhere;

    private int leaveOut;

    /**
     * Of a client that writes for one application; compression pays until it has looked.
     *
     * @param storageClass where all is written to
     */
    CompressionWatch(CrailClient client, int storageClass) {
        this(
                new Source() {
                    @Override
                    public ClientStatistics written() {
                        return client.clientStatistics();
                    }

                    @Override
                    public List<ServerCapacity> servers() throws CrailException {
                        return client.statistics().servers();
                    }
                },
                storageClass);
    }

    /** Of somebody who writes. */
    CompressionWatch(Source source, int storageClass) {
        this.source = source;
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
        // Not the sum that the client keeps besides: what is just being written may be in one and
        // not yet in the other.
        Map<String, ClientStatistics.Moved> transports = source.written().transports();
        long inMemoryNow = written(transports, true);
        long elsewhereNow = written(transports, false);
        boolean overNetwork = elsewhereNow > elsewhere;
        if (inMemoryNow == inMemory && !overNetwork) {
            return;
        }
        try {
            List<ServerCapacity> servers = source.servers();
            boolean network = overNetwork || areApart(servers);
            pays = network || pays(servers, storageClass);
            leaveOut = network ? LEFT_OUT : 0;
            inMemory = inMemoryNow;
            elsewhere = elsewhereNow;
        } catch (CrailException e) {
            LOG.debug("Cannot ask for the room in storage class {}", storageClass, e);
        }
    }

    private static long written(Map<String, ClientStatistics.Moved> transports, boolean memory) {
        return transports.entrySet().stream()
                .filter(each -> each.getKey().equals(SHARED_MEMORY) == memory)
                .mapToLong(each -> each.getValue().bytesWritten())
                .sum();
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
