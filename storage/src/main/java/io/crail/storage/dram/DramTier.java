// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.dram;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.message.ServerTable.Endpoint;
import io.crail.protocol.segment.SessionLayout;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.block.Pins;
import io.crail.storage.segment.Segment;
import io.crail.storage.segment.SegmentFiles;
import io.crail.storage.session.Sessions;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.FreedListener;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierContext;
import io.crail.storage.spi.TierStatistics;
import io.crail.storage.tcp.LocalAccess;
import io.crail.storage.tcp.LoopOptions;
import io.crail.storage.tcp.TcpDataService;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Segments in shared memory, served over TCP, and mapped by clients on the same host.
 *
 * <p><b>Threads.</b> The caller of join attaches segments; then one thread of its own fills new
 * ones. One timer thread looks after revocations that wait, for connections or for pins, and after
 * processes that are gone. Event loops belong to the data service.
 */
final class DramTier implements StorageTier {
    private static final Logger LOG = LoggerFactory.getLogger(DramTier.class);

    private static final long RECHECK_MILLIS = 10;
    private static final long SWEEP_MILLIS = 1_000;

    /** Longest host name in a server table, which holds the directory here. */
    private static final int MAX_DIRECTORY = 255;

    private final TierContext context;
    private final SegmentFiles files;
    private final SegmentDirectory segments;
    private final Blocks blocks = new Blocks();
    private final @Nullable Sessions sessions;
    private final TcpDataService service;
    private final List<Endpoint> endpoints;
    private final ScheduledThreadPoolExecutor timer;
    private @Nullable SegmentFiller filler;

    /**
     * @param segments where the files are; closed with the tier, but not if this fails
     */
    DramTier(TierContext context, SegmentFiles files, SegmentDirectory segments)
            throws CrailException {
        if (context.capacity() < segments.segmentSize()) {
            throw new InvalidArgumentException(
                    "capacity of "
                            + context.capacity()
                            + " bytes is less than one segment of "
                            + segments.segmentSize());
        }
        this.context = context;
        this.files = files;
        this.segments = segments;
        this.sessions = isShared(context) ? Sessions.open(context.directory()) : null;
        this.service = open(context, blocks, sessions, segments.path());
        this.endpoints = endpoints(context, service.port());
        this.timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread = new Thread(task, "crail-storage-revoke");
                            thread.setDaemon(true);
                            return thread;
                        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        if (sessions != null) {
            watch(sessions);
        }
    }

    private TcpDataService open(
            TierContext context, Blocks blocks, @Nullable Sessions sessions, Path segments)
            throws CrailException {
        try {
            return new TcpDataService(
                    blocks,
                    context.limits(),
                    context.bindHost(),
                    context.bindPort(),
                    new LoopOptions(
                            context.options().getOrDefault(DramTierProvider.TRANSPORT, "auto"),
                            threads(context),
                            isOn(context, DramTierProvider.BUSY_POLL)),
                    sessions == null ? null : localAccess(context, sessions, segments),
                    new Gatekeeper(context.credentials(), Party.STORAGE_SERVER));
        } catch (CrailException e) {
            if (sessions != null) {
                sessions.close();
            }
            throw e;
        }
    }

    private LocalAccess localAccess(TierContext context, Sessions sessions, Path segments) {
        return new LocalAccess(
                context.directory().toAbsolutePath().resolve(SessionLayout.SOCKET),
                segments,
                context.identity(),
                sessions,
                this::recheck);
    }

    private static List<Endpoint> endpoints(TierContext context, int port)
            throws InvalidArgumentException {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String host : context.advertisedHosts()) {
            endpoints.add(new Endpoint("tcp", host, port));
        }
        if (isShared(context)) {
            endpoints.add(new Endpoint("shm", directory(context), 0));
        }
        return List.copyOf(endpoints);
    }

    private static String directory(TierContext context) {
        return context.directory().toAbsolutePath().toString();
    }

    private static boolean isShared(TierContext context) throws InvalidArgumentException {
        return isOn(context, DramTierProvider.SHARED_MEMORY)
                && directory(context).getBytes(StandardCharsets.UTF_8).length <= MAX_DIRECTORY;
    }

    /** Options that are not given are on. */
    private static boolean isOn(TierContext context, String option)
            throws InvalidArgumentException {
        String value = context.options().getOrDefault(option, "on");
        if (!value.equals("on") && !value.equals("off")) {
            throw new InvalidArgumentException(option + " = " + value + " is not on or off");
        }
        return value.equals("on");
    }

    @Override
    public List<Endpoint> endpoints() {
        return endpoints;
    }

    @Override
    public synchronized void join(UUID cluster, SegmentListener listener) throws CrailException {
        if (filler != null) {
            throw new IllegalStateException("joined already");
        }
        List<Segment> attached = files.attach(cluster);
        SegmentFiller next =
                new SegmentFiller(
                        new SegmentFiller.Goal(context.capacity(), segments.segmentSize()),
                        files,
                        cluster,
                        attached,
                        this::add,
                        listener);
        next.checkSpace();
        attached.forEach(segment -> listener.ready(add(segment)));
        LOG.info("Attached {} segments in {}", attached.size(), segments.path());
        filler = next;
        next.start();
    }

    private BlockTable add(Segment segment) {
        BlockTable table = new BlockTable(segment, sessions == null ? Pins.NONE : sessions);
        blocks.add(table);
        return table;
    }

    @Override
    public void admit(Admission admission) throws CrailException {
        service.admit(admission);
    }

    @Override
    public void revoke(
            int segment, int record, int length, long generation, FreedListener listener) {
        BlockTable table = blocks.table(segment);
        if (table == null || !table.revoke(record, generation, listener)) {
            LOG.warn(
                    "Cannot revoke block {}/{} of generation {}: no such block here",
                    segment,
                    record,
                    Long.toHexString(generation));
            return;
        }
        if (table.isPending(record, generation)) {
            ScheduledFuture<?> unused =
                    timer.schedule(
                            () -> closeHolders(table, record, generation),
                            context.limits().revokeTimeout().toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }

    private void watch(Sessions sessions) {
        ScheduledFuture<?> rechecks =
                timer.scheduleWithFixedDelay(
                        this::recheck, RECHECK_MILLIS, RECHECK_MILLIS, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> sweeps =
                timer.scheduleWithFixedDelay(
                        sessions::sweep, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        LOG.debug("Watching for pins {} and processes {}", rechecks, sweeps);
    }

    /** A pin has no way to say that it is gone: blocks that wait for one are looked at again. */
    private void recheck() {
        blocks.all().forEach(BlockTable::recheck);
    }

    private void closeHolders(BlockTable table, int record, long generation) {
        if (table.isPending(record, generation)) {
            service.closeHolders(table, record, generation);
        }
    }

    @Override
    public TierStatistics statistics() {
        TierStatistics network = service.statistics();
        return new TierStatistics(
                network.connections(),
                network.inFlight(),
                network.bytesRead(),
                network.bytesWritten(),
                sessions == null ? 0 : sessions.sessions(),
                sessions == null ? 0 : sessions.pinned(),
                blocks.all().stream().mapToLong(BlockTable::quarantined).sum(),
                network.requests());
    }

    @Override
    public void close() {
        SegmentFiller running;
        synchronized (this) {
            running = filler;
        }
        if (running != null) {
            running.close();
        }
        timer.shutdownNow();
        service.close();
        if (sessions != null) {
            sessions.close();
        }
        segments.close();
    }

    @Override
    public void remove() throws CrailException {
        files.removeAll();
    }

    private static int threads(TierContext context) throws InvalidArgumentException {
        String value = context.options().getOrDefault(DramTierProvider.THREADS, "0");
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException("threads = " + value + " is no number", e);
        }
    }
}
