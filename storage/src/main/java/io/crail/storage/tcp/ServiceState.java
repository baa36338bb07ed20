// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.protocol.authentication.Gatekeeper;
import io.crail.storage.block.Blocks;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.DataRequests;
import io.crail.storage.spi.ServiceLimits;
import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What all connections of a data service share. Thread-safe. */
final class ServiceState {
    final Blocks blocks;
    final ServiceLimits limits;
    final @Nullable LocalAccess local;
    final Gatekeeper gate;
    final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    final LongAdder inFlight = new LongAdder();
    final LongAdder bytesRead = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LogLimiter badPeers =
            new LogLimiter(LoggerFactory.getLogger(TcpDataService.class), System::nanoTime);

    /** Connections whose hello is not complete, by age. */
    private final ConcurrentSkipListMap<Long, Connection> strangers = new ConcurrentSkipListMap<>();

    /** By event loop, of which there are few, so that each is written by one thread. */
    private final Map<EventExecutor, LoopCounters> counters = new ConcurrentHashMap<>();

    private final AtomicLong arrivals = new AtomicLong();
    private volatile @Nullable Admission admission;

    ServiceState(
            Blocks blocks, ServiceLimits limits, @Nullable LocalAccess local, Gatekeeper gate) {
        this.blocks = blocks;
        this.limits = limits;
        this.local = local;
        this.gate = gate;
    }

    /** The number of the next connection. */
    long nextArrival() {
        return arrivals.incrementAndGet();
    }

    /** What requests of this event loop are counted in. */
    LoopCounters counters(EventExecutor loop) {
        return counters.computeIfAbsent(loop, key -> new LoopCounters(System::nanoTime));
    }

    /** The sums of all event loops. */
    DataRequests requests() {
        return LoopCounters.sum(counters.values());
    }

    void add(Connection connection) {
        connections.add(connection);
        strangers.put(connection.arrival(), connection);
    }

    /** The hello of the connection is complete. */
    void greeted(Connection connection) {
        strangers.remove(connection.arrival());
    }

    void remove(Connection connection) {
        strangers.remove(connection.arrival());
        connections.remove(connection);
    }

    /**
     * Makes room for a new connection at the expense of the one that has been a stranger for the
     * longest time, so that those who say nothing cannot keep others out for long; false if there
     * is no stranger.
     */
    boolean dropOldestStranger() {
        Map.Entry<Long, Connection> oldest = strangers.pollFirstEntry();
        if (oldest == null) {
            return false;
        }
        oldest.getValue().close();
        return true;
    }

    /** Null until the first registration; no connection is accepted before it. */
    @Nullable Admission admission() {
        return admission;
    }

    /** The admission, for connections that passed their hello. */
    Admission admitted() {
        return Objects.requireNonNull(admission, "no connection passes before the registration");
    }

    void admit(Admission next) {
        admission = next;
    }
}
