// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import io.crail.nvmf.target.admin.LogPages;
import io.crail.nvmf.target.backing.BackingFile;
import io.crail.nvmf.target.backing.HookedMedium;
import io.crail.nvmf.target.backing.Medium;
import io.crail.nvmf.target.backing.NewBackingFile;
import io.crail.nvmf.target.fence.HostNotFencedException;
import io.crail.nvmf.target.shared.SharedMemory;
import io.crail.nvmf.target.status.TargetCounters;
import io.crail.nvmf.target.status.TargetStatistics;
import io.crail.nvmf.target.subsystem.Associations;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.target.subsystem.Namespace;
import io.crail.nvmf.target.subsystem.Subsystem;
import io.crail.nvmf.target.subsystem.SubsystemSettings;
import io.crail.nvmf.target.tcp.TcpTransport;
import io.crail.nvmf.target.tcp.TransportSettings;
import io.crail.nvmf.wire.QualifiedName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running NVMe/TCP target.
 *
 * <p>Thread-safe.
 *
 * <p><b>Fencing.</b> When {@link #revoke} has returned, nothing that the host ever sent can reach a
 * medium, whatever its connections, the event loops and the workers do later:
 *
 * <ol>
 *   <li>A command reaches a medium only through the gate of its queue, and every queue is made by a
 *       Connect, under the lock of the associations, which asks for the host's admission under that
 *       lock. Revoking takes the admission away and ends the host's associations under the same
 *       lock. So every queue of the host is either among those that it ended, or was refused.
 *   <li>Ending closes the gate of each queue. A closed gate lets nobody in again, ever (see {@link
 *       io.crail.nvmf.target.fence.Gate}), so commands that wait for memory, for data, for a
 *       worker, or lie unread in a socket, end without having touched the medium.
 *   <li>Queues that had ended before are kept in a list while somebody is inside of their gates;
 *       revoking waits for these, too.
 *   <li>It returns when all these gates are empty: every access that was inside has returned from
 *       its system call.
 * </ol>
 *
 * If a gate is not empty in time a command hangs at the medium; then revoking fails and says so,
 * the host stays revoked, and the caller must free nothing. A host cannot be admitted again before
 * it has been fenced.
 */
public final class NvmeTarget implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NvmeTarget.class);
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final TargetConfig config;
    private final Associations associations;
    private final TargetCounters counters;
    private final TcpTransport transport;
    private final List<Medium> media;
    private final @Nullable SharedMemory shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    private NvmeTarget(
            TargetConfig config,
            Associations associations,
            TargetCounters counters,
            TcpTransport transport,
            List<Medium> media,
            @Nullable SharedMemory shared) {
        this.config = config;
        this.associations = associations;
        this.counters = counters;
        this.transport = transport;
        this.media = media;
        this.shared = shared;
    }

    /**
     * Opens the media, creating files that do not exist, and serves them.
     *
     * @throws IOException if a medium cannot be served, or the address is taken
     */
    public static NvmeTarget start(TargetConfig config) throws IOException {
        return start(config, TargetSurroundings.REAL);
    }

    /** As {@link #start(TargetConfig)}, with another clock, or with faults. */
    public static NvmeTarget start(TargetConfig config, TargetSurroundings surroundings)
            throws IOException {
        List<Medium> media = new ArrayList<>();
        boolean done = false;
        try {
            List<Namespace> namespaces = new ArrayList<>();
            boolean edges = false;
            for (NamespaceConfig each : config.namespaces()) {
                Medium medium = open(each, surroundings);
                media.add(medium);
                int id = namespaces.size() + 1;
                namespaces.add(
                        new Namespace(
                                id,
                                identifier(config, id),
                                each.blockBytes(),
                                medium,
                                surroundings.guard()));
                edges |= each.blockBytes() < medium.alignment();
            }
            NvmeTarget target = serve(config, surroundings, namespaces, edges, media);
            done = true;
            return target;
        } finally {
            if (!done) {
                closeAll(media);
            }
        }
    }

    private static Medium open(NamespaceConfig namespace, TargetSurroundings surroundings)
            throws IOException {
        if (namespace.bytes() > 0) {
            NewBackingFile.ensure(namespace.path(), namespace.bytes(), namespace.allocation());
        }
        return new HookedMedium(
                BackingFile.open(namespace.path(), namespace.direct()), surroundings.hook());
    }

    private static UUID identifier(TargetConfig config, int namespace) {
        String name = config.nqn() + "/" + namespace;
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    private static NvmeTarget serve(
            TargetConfig config,
            TargetSurroundings surroundings,
            List<Namespace> namespaces,
            boolean edges,
            List<Medium> media)
            throws IOException {
        TargetCounters counters = new TargetCounters();
        SubsystemSettings settings = subsystem(config);
        Associations associations =
                new Associations(
                        settings, counters, surroundings.nanoTime(), surroundings.admission());
        Subsystem subsystem = new Subsystem(settings, namespaces, associations);
        SharedMemory shared = shared(config);
        TcpTransport transport;
        try {
            transport =
                    TcpTransport.start(
                            transport(config),
                            subsystem,
                            new LogPages(subsystem, counters, config.advertised()),
                            counters,
                            // Blocks that are no whole units need room for what surrounds them.
                            config.maxTransferBytes() * (edges ? 2 : 1),
                            shared,
                            surroundings.nanoTime());
        } catch (OutOfMemoryError e) {
            throw new TargetException(
                    "there is no direct memory for "
                            + config.dataMemoryBytes()
                            + " bytes of data and "
                            + config.maxConnections()
                            + " connections: lower one of them, or raise -XX:MaxDirectMemorySize",
                    e);
        } catch (IOException e) {
            throw new TargetException(
                    "cannot listen on " + config.bind() + ": " + e.getMessage(), e);
        }
        LOG.info(
                "Serving {} with {} namespaces on {}",
                config.nqn(),
                namespaces.size(),
                transport.address());
        return new NvmeTarget(config, associations, counters, transport, media, shared);
    }

    private static @Nullable SharedMemory shared(TargetConfig config) throws TargetException {
        SharedMemoryConfig asked = config.sharedMemory();
        try {
            return asked == null
                    ? null
                    : SharedMemory.open(asked.directory(), asked.owner(), asked.bytes());
        } catch (IOException e) {
            throw new TargetException("cannot share memory in " + asked.directory() + ": " + e, e);
        }
    }

    private static SubsystemSettings subsystem(TargetConfig config) {
        return new SubsystemSettings(
                config.nqn(),
                String.format(Locale.ROOT, "%016x", identifier(config, 0).getMostSignificantBits()),
                config.anyHost(),
                config.allowedHosts(),
                config.oneAssociationPerHost(),
                config.maxControllers(),
                config.maxIoQueues(),
                config.queueEntries(),
                config.maxTransferBytes(),
                config.inCapsuleBytes(),
                config.sharedMemory() != null,
                config.discoveryIdle().toMillis());
    }

    private static TransportSettings transport(TargetConfig config) {
        return new TransportSettings(
                config.bind(),
                config.eventLoops(),
                config.workers(),
                config.maxConnections(),
                config.headerDigests(),
                config.dataDigests(),
                config.maxTransferBytes(),
                config.inCapsuleBytes(),
                config.dataMemoryBytes(),
                config.handshakeTimeout().toMillis(),
                config.stallTimeout().toMillis(),
                config.connectWait().toMillis(),
                config.inlineCommands(),
                config.ring());
    }

    /**
     * The medium of a namespace, past all gates and guards; open until {@link #close}.
     *
     * @param namespace NSID
     */
    public Medium medium(int namespace) {
        return media.get(namespace - 1);
    }

    /** Whether reads go by io_uring, and not by a thread for each. */
    public boolean hasRing() {
        return transport.hasRing();
    }

    /** Where it listens. */
    public InetSocketAddress address() throws IOException {
        return transport.address();
    }

    /**
     * Lets a host connect.
     *
     * @throws HostNotFencedException if it was revoked and its commands still hang at a medium
     * @throws IllegalArgumentException if that is no name of a host
     */
    public void admit(String hostNqn) throws HostNotFencedException {
        QualifiedName.check(hostNqn);
        if (!associations.admit(hostNqn)) {
            throw new HostNotFencedException(hostNqn, 1, 0, ", so it cannot be admitted");
        }
        LOG.info("Host {} is admitted", hostNqn);
    }

    /**
     * Keeps a host from all media, at once and until it is admitted again: closes its queues,
     * completes or aborts its commands, and returns when none of them can reach a medium any more.
     * Waits no longer than the configured time. May be repeated, also for a host that never came.
     *
     * @throws HostNotFencedException if commands hang at a medium: nothing may be freed then
     */
    public void revoke(String hostNqn) throws HostNotFencedException, InterruptedException {
        long limit = config.revokeTimeout().toNanos();
        long deadline = System.nanoTime() + limit;
        List<HostQueue> queues = associations.revoke(hostNqn);
        for (HostQueue each : queues) {
            each.gate().awaitEmpty(Math.max(0, deadline - System.nanoTime()));
        }
        int hanging = queues.stream().mapToInt(each -> each.gate().inside()).sum();
        if (hanging > 0) {
            throw new HostNotFencedException(
                    hostNqn, hanging, config.revokeTimeout().toMillis(), "");
        }
        awaitGone(queues, deadline);
        LOG.info(
                "Host {} is revoked and fenced; {} of its queues were closed",
                hostNqn,
                queues.size());
    }

    /** The connections; what the host can do to the medium does not depend on them any more. */
    private static void awaitGone(List<HostQueue> queues, long deadline)
            throws InterruptedException {
        for (HostQueue each : queues) {
            while (!each.link().isGone()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (System.nanoTime() - deadline > 0) {
                    LOG.warn("A connection of {} is slow to close", each.controller());
                    return;
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    /** What it does and did. */
    public TargetStatistics statistics() {
        return new TargetStatistics(
                transport.connections(),
                counters.connectionsRefused.sum(),
                associations.size(),
                transport.pool().used(),
                transport.pool().peak(),
                transport.pool().capacity(),
                transport.pool().refusals(),
                counters.digestErrors.sum(),
                counters.protocolErrors.sum(),
                counters.keepAlivesExpired.sum(),
                shared == null ? 0 : shared.shared(),
                counters.sharedBytes.sum(),
                counters.hosts());
    }

    /**
     * Stops serving and closes the media. What was not flushed is as safe as after a crash of the
     * process.
     *
     * @throws TargetException if a command hangs at a medium, whose file then stays open and locked
     */
    @Override
    public void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean stopped = false;
        try {
            stopped = transport.stop(STOP_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!stopped) {
            throw new TargetException(
                    "the target of "
                            + config.nqn()
                            + " did not stop in time: a command hangs at a medium; its file stays"
                            + " open and locked until this process ends",
                    null);
        }
        closeAll(media);
        LOG.info("Stopped serving {}", config.nqn());
    }

    private static void closeAll(List<Medium> media) {
        for (Medium each : media) {
            try {
                each.close();
            } catch (IOException e) {
                LOG.warn("Closing {} failed: {}", each.name(), e.toString());
            }
        }
    }
}
