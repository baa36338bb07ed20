// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.admin.LogPages;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.target.shared.SharedMemory;
import io.crail.nvmf.target.status.TargetCounters;
import io.crail.nvmf.target.subsystem.Subsystem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of the target: event loops, workers, and one that looks at the clock, which rescues
 * loops, expires associations and has connections look at their time-outs.
 *
 * <p>Thread-safe.
 */
public final class TcpTransport {
    private static final Logger LOG = LoggerFactory.getLogger(TcpTransport.class);

    /** While loops carry out commands themselves; otherwise only the sweep is due. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int TICKS_PER_SWEEP = 4;

    private final TcpServices services;
    private final Workers workers;
    private final boolean hasRing;
    private final List<EventLoop> loops;
    private final Listener listener;
    private final List<Acceptor> acceptors = new ArrayList<>();
    private final DataPool pool;
    private final Thread clock = new Thread(this::watch, "nvmf-clock");
    private volatile boolean stopping;

    private TcpTransport(
            TransportSettings settings,
            Subsystem subsystem,
            LogPages logPages,
            TargetCounters counters,
            int largestBuffer,
            @Nullable SharedMemory shared,
            LongSupplier nanoTime,
            Listener listener,
            @Nullable RingFiles files)
            throws IOException {
        this.listener = listener;
        this.workers =
                new Workers(
                        settings.workers(),
                        settings.maxConnections() * subsystem.settings().maxQueueEntries());
        this.hasRing = files != null;
        this.loops = new ArrayList<>();
        this.pool = new DataPool(settings.dataMemoryBytes(), largestBuffer, this::onRoom);
        this.services =
                new TcpServices(
                        settings, subsystem, logPages, counters, pool, shared, listener, nanoTime);
        DataPool capsules = capsulePool(settings);
        for (int index = 0; index < settings.eventLoops(); index++) {
            loops.add(new EventLoop("nvmf-loop-" + index, workers, files, settings.inline()));
        }
        acceptors.add(new Acceptor(services, loops, listener.tcp(), capsules));
        if (listener.local() != null) {
            acceptors.add(new Acceptor(services, loops, listener.local(), capsules));
        }
        clock.setDaemon(true);
    }

    private static DataPool capsulePool(TransportSettings settings) {
        int size = Integer.highestOneBit(Acceptor.bufferBytes(settings) - 1) << 1;
        return new DataPool((long) size * Math.max(2, settings.maxConnections()), size, () -> {});
    }

    /**
     * Begins to serve.
     *
     * @param largestBuffer bytes of the largest data buffer that a command needs, a power of two
     * @param shared memory for hosts of this machine; null if none is shared
     * @param nanoTime clock of time-outs
     * @throws IOException if it cannot listen
     */
    public static TcpTransport start(
            TransportSettings settings,
            Subsystem subsystem,
            LogPages logPages,
            TargetCounters counters,
            int largestBuffer,
            @Nullable SharedMemory shared,
            LongSupplier nanoTime)
            throws IOException {
        Listener listener = Listener.open(settings.bind(), settings.ring(), shared);
        boolean done = false;
        try {
            TcpTransport transport =
                    new TcpTransport(
                            settings,
                            subsystem,
                            logPages,
                            counters,
                            largestBuffer,
                            shared,
                            nanoTime,
                            listener,
                            settings.ring() ? RingFiles.open(subsystem.namespaces()) : null);
            transport.run();
            done = true;
            return transport;
        } finally {
            if (!done) {
                listener.close();
            }
        }
    }

    private void run() {
        workers.start();
        loops.forEach(EventLoop::start);
        acceptors.forEach(each -> loops.get(0).post(each::register));
        clock.start();
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** Connections now. */
    public int connections() {
        return loops.stream().mapToInt(EventLoop::connectionCount).sum();
    }

    /** Whether reads go by io_uring. */
    public boolean hasRing() {
        return hasRing;
    }

    /** The memory for data of commands. */
    public DataPool pool() {
        return pool;
    }

    /** Memory was given back that somebody had wanted. */
    private void onRoom() {
        for (EventLoop each : loops) {
            each.post(each::shareRoom);
        }
    }

    private void watch() {
        int ticks = 0;
        boolean busy = false;
        while (!stopping) {
            int next = busy ? 1 : TICKS_PER_SWEEP - ticks;
            LockSupport.parkNanos(next * TICK_NANOS);
            busy = false;
            for (EventLoop each : loops) {
                busy |= each.rescue();
            }
            ticks += next;
            if (ticks == TICKS_PER_SWEEP) {
                ticks = 0;
                sweep();
            }
        }
    }

    private void sweep() {
        try {
            services.subsystem().associations().expire();
            acceptors.forEach(Acceptor::tick);
            for (EventLoop each : loops) {
                if (each.connectionCount() > 0) {
                    each.post(() -> each.connections().forEach(Connection::tick));
                }
            }
        } catch (RuntimeException e) {
            LOG.error("Looking at the clock failed by a fault of the target", e);
        }
    }

    /**
     * Stops serving: no connection is accepted, those that are open are closed, and the threads
     * end.
     *
     * @return whether all ended in time; if not a command hangs at the medium
     */
    public boolean stop(long nanos) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + nanos;
        listener.close();
        boolean all = true;
        for (EventLoop each : loops) {
            all &= each.stop(Math.max(0, deadline - System.nanoTime()));
        }
        all &= workers.stop(Math.max(1, deadline - System.nanoTime()));
        stopping = true;
        clock.join(TimeUnit.NANOSECONDS.toMillis(Math.max(1, deadline - System.nanoTime())) + 1);
        return all && !clock.isAlive();
    }
}
