// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.TimeoutException;
import io.crail.nvmf.layout.FlashEndpoint;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.Superblock;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.fence.HostNotFencedException;
import io.crail.nvmf.target.status.TargetStatistics;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.message.ServerTable.Endpoint;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.DataRequests;
import io.crail.storage.spi.FreedListener;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierContext;
import io.crail.storage.spi.TierStatistics;
import io.crail.storage.tcp.LoopOptions;
import io.crail.storage.tcp.TcpDataService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks in a namespace of the built-in target.
 *
 * <p>Bytes go over NVMe over Fabrics only. A second, small service over TCP answers the questions
 * of a check, as every storage server does; it refuses to read or write blocks.
 *
 * <p><b>Threads.</b> The target has its own; {@link CounterStore} has one that reports freed
 * blocks; {@link LateRevocations} has a timer. Nothing here blocks but join, admit and close.
 */
final class FlashTier implements StorageTier {
    private static final Logger LOG = LoggerFactory.getLogger(FlashTier.class);
    private static final int NAMESPACE = 1;
    private static final String SUBSYSTEM_PREFIX = "nqn.2026-11.io.crail:flash:";

    private final TierContext context;
    private final TierOptions options;
    private final NvmeTarget target;
    private final BlockGuard guard;
    private final SessionAdmission admission;
    private final RandomGenerator random;
    private final Blocks blocks = new Blocks();
    private final LateRevocations late;
    private final TcpDataService questions;
    private final List<Endpoint> endpoints;
    private @Nullable CounterStore counters;

    /**
     * @param target started, with this guard and this admission; closed with the tier, but not if
     *     this fails
     */
    FlashTier(
            TierContext context,
            TierOptions options,
            NvmeTarget target,
            BlockGuard guard,
            SessionAdmission admission,
            RandomGenerator random)
            throws CrailException {
        this.context = context;
        this.options = options;
        this.target = target;
        this.guard = guard;
        this.admission = admission;
        this.random = random;
        this.questions =
                new TcpDataService(
                        blocks,
                        context.limits(),
                        context.bindHost(),
                        options.controlPort(),
                        new LoopOptions(options.transport(), 1, false),
                        null,
                        new Gatekeeper(context.credentials(), Party.STORAGE_SERVER));
        this.endpoints = places();
        this.late = new LateRevocations(context.limits().revokeTimeout(), target);
    }

    /** Name of the subsystem of a server: the same in each of its lives. */
    static String subsystem(UUID server) {
        return SUBSYSTEM_PREFIX + server;
    }

    private List<Endpoint> places() throws InternalException {
        List<Endpoint> found = new ArrayList<>();
        try {
            int port = target.address().getPort();
            String subsystem = subsystem(context.identity());
            for (String host : context.advertisedHosts()) {
                String place = FlashEndpoint.guarded(host, NAMESPACE, subsystem).text();
                found.add(new Endpoint(FlashEndpoint.TRANSPORT, place, port));
            }
            for (String host : context.advertisedHosts()) {
                found.add(new Endpoint("tcp", host, questions.port()));
            }
            return List.copyOf(found);
        } catch (IOException e) {
            questions.close();
            throw new InternalException("the target has no address: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            questions.close();
            throw new InternalException("tier nvmf cannot be announced: " + e.getMessage(), e);
        }
    }

    @Override
    public List<Endpoint> endpoints() {
        return endpoints;
    }

    @Override
    public int smallestBlock() {
        return FlashLayout.SLOT;
    }

    @Override
    public synchronized void join(UUID cluster, SegmentListener listener) throws CrailException {
        if (counters != null) {
            throw new IllegalStateException("joined already");
        }
        Superblock superblock =
                new FlashImage(target.medium(NAMESPACE), context.identity(), 0, random)
                        .join(cluster, context.format());
        try {
            counters = CounterStore.load(target.medium(NAMESPACE), superblock.layout());
        } catch (IOException e) {
            throw StartFailures.of(
                    "cannot read the counters of "
                            + options.file()
                            + ": "
                            + e
                            + ". Look after the device, or give its data up with --format",
                    e);
        }
        BlockTable made = new BlockTable(new FlashWords(superblock, counters));
        blocks.add(made);
        guard.open(made, superblock.layout());
        listener.ready(made);
        listener.complete();
        LOG.info("Offering {} bytes in {}", made.dataBytes(), options.file());
    }

    @Override
    public void admit(Admission next) throws CrailException {
        for (String host : admission.change(next)) {
            fence(host);
        }
        questions.admit(next);
    }

    private void fence(String host) throws CrailException {
        try {
            target.revoke(host);
            target.admit(host); // By name; what it is let in for is a ticket of the new admission.
            admission.fenced(host);
        } catch (HostNotFencedException e) {
            throw new TimeoutException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeoutException("interrupted while " + host + " was fenced", e);
        }
    }

    @Override
    public void revoke(
            int segment, int record, int length, long generation, FreedListener listener) {
        BlockTable known = blocks.table(segment);
        if (known != null && FlashWords.beginsBlock(record)) {
            FreedListener watched = late.watch(record, generation, listener);
            if (known.revoke(record, generation, watched)) {
                return;
            }
            late.forget(watched);
        }
        LOG.warn(
                "Cannot revoke block {}/{} of generation {}: no such block here",
                segment,
                record,
                Long.toHexString(generation));
    }

    @Override
    public TierStatistics statistics() {
        DataRequests none = DataRequests.none();
        TargetStatistics network = target.statistics();
        return new TierStatistics(
                network.connections() + questions.statistics().connections(),
                guard.inFlight(),
                guard.bytesRead(),
                guard.bytesWritten(),
                0,
                0,
                late.count(),
                new DataRequests(
                        guard.reads(), guard.writes(), none.readDurations(), none.writeDurations()),
                network.digestErrors(),
                network.sharedBytes());
    }

    @Override
    public void close() {
        late.close();
        questions.close();
        CounterStore running;
        synchronized (this) {
            running = counters;
        }
        // Before the medium is closed. What is not written yet is revoked again after a restart.
        if (running != null) {
            running.close();
        }
        close(target);
    }

    static void close(NvmeTarget target) {
        try {
            target.close();
        } catch (IOException e) {
            LOG.warn("Closing: {}", e.getMessage());
        }
    }

    @Override
    public void remove() throws CrailException {
        Path file = options.file();
        try {
            if (Files.isRegularFile(file)) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new InternalException("cannot remove " + file + ": " + e, e);
        }
    }
}
