// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.FlashEndpoint;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.OwnerRecord;
import io.crail.nvmf.layout.Superblock;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.message.ServerTable.Endpoint;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.FreedListener;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierContext;
import io.crail.storage.spi.TierStatistics;
import io.crail.storage.tcp.LoopOptions;
import io.crail.storage.tcp.TcpDataService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks in a namespace of a target that is not ours and knows nothing of blocks. Clients read and
 * write there; this server keeps superblock and counters, and finds out when a freed block is safe.
 *
 * <p><b>Threads.</b> {@link CounterStore}, {@link Fence} and {@link Deallocation} have one each.
 * Nothing here blocks but join and close.
 */
final class ExternalTier implements StorageTier {
    private static final Logger LOG = LoggerFactory.getLogger(ExternalTier.class);

    private final TierContext context;
    private final ExternalOptions options;
    private final Fabric fabric;
    private final RemoteMedium medium;
    private final Ownership ownership;
    private final RandomGenerator random;
    private final LongSupplier clock;
    private final Blocks blocks = new Blocks();
    private final TcpDataService questions;
    private final List<Endpoint> endpoints;
    private final ExternalTiming timing;
    private @Nullable CounterStore counters;
    private @Nullable Fence fence;

    /** Of blocks that are being revoked; written before the first block is shown. */
    private volatile @Nullable RevokedLengths lengths;

    /**
     * @param fabric closed with the tier, as is the medium; but not if this fails
     * @param medium connected
     */
    ExternalTier(
            TierContext context,
            ExternalOptions options,
            Fabric fabric,
            RemoteMedium medium,
            Ownership ownership,
            RandomGenerator random,
            LongSupplier clock)
            throws CrailException {
        this.context = context;
        this.options = options;
        this.fabric = fabric;
        this.medium = medium;
        this.ownership = ownership;
        this.random = random;
        this.clock = clock;
        this.timing = medium.timing();
        int port = options.controlPort() != 0 ? options.controlPort() : context.bindPort();
        this.questions =
                new TcpDataService(
                        blocks,
                        context.limits(),
                        context.bindHost(),
                        port,
                        new LoopOptions(options.transport(), 1, false),
                        null,
                        new Gatekeeper(context.credentials(), Party.STORAGE_SERVER));
        this.endpoints = places();
    }

    private List<Endpoint> places() throws InvalidArgumentException {
        TargetAddress target = options.target();
        NvmeAddress address = target.address();
        List<Endpoint> found = new ArrayList<>();
        try {
            FlashEndpoint place =
                    FlashEndpoint.external(
                            target.fabric(),
                            address.host(),
                            target.namespace(),
                            keepAliveMillis(),
                            address.subsystem());
            found.add(new Endpoint(FlashEndpoint.TRANSPORT, place.text(), address.port()));
        } catch (IllegalArgumentException e) {
            questions.close();
            throw new InvalidArgumentException(target + ": " + e.getMessage(), e);
        }
        for (String host : context.advertisedHosts()) {
            found.add(new Endpoint("tcp", host, questions.port()));
        }
        return List.copyOf(found);
    }

    private int keepAliveMillis() {
        return (int) timing.keepAlive().toMillis();
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
        if (fence != null) {
            throw new IllegalStateException("joined already");
        }
        try {
            FlashImage image =
                    new FlashImage(medium, context.identity(), keepAliveMillis(), random);
            boolean used = context.format() ? !image.isBlank() : image.isOf(cluster);
            Optional<OwnerRecord> before = OwnerEntry.read(medium);
            if (before.isPresent()) {
                awaitEnd(before.get());
            }
            boolean waited = context.format() || !ownership.isReserved();
            boolean fenced = ownership.take(context.format());
            if (before.isPresent() && !waited) {
                awaitEnd(before.get()); // If it has turned out that nobody can be fenced.
            }
            Superblock superblock = image.join(cluster, context.format());
            CounterStore loaded = CounterStore.load(medium, superblock.layout(), true);
            counters = loaded;
            FlashWords words = new FlashWords(superblock, loaded);
            Quarantine quarantine =
                    new Quarantine(superblock.layout(), loaded, words, clock.getAsLong());
            BlockTable table =
                    new BlockTable(new QuarantinedWords(words, quarantine, clock), quarantine);
            OwnerEntry entry = new OwnerEntry(medium);
            Deallocation exit =
                    new Deallocation(
                            medium,
                            entry,
                            superblock.layout(),
                            words,
                            quarantine,
                            clock,
                            options.deallocate());
            lengths = exit.lengths();
            Fence begun =
                    new Fence(
                            medium,
                            entry,
                            ownership,
                            timing,
                            quarantine,
                            exit,
                            table,
                            clock,
                            before,
                            listener::failed);
            boolean later = context.format() && used && !fenced;
            Runnable offer = () -> offer(table, listener);
            begun.start(later ? offer : null);
            fence = begun;
            if (later) {
                LOG.info(
                        "{} was in use: nothing is offered for {} ms",
                        medium.name(),
                        timing.quarantine().toMillis());
            } else {
                offer.run();
            }
        } catch (IOException e) {
            throw StartFailures.of(
                    "cannot read or write " + medium.name() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Another server may be using the namespace, or have used it until it was killed: then writes
     * of its counters may be on their way. A reservation ends these; without one they are waited
     * for.
     */
    private void awaitEnd(OwnerRecord before) throws CrailException, IOException {
        if (before.released() || (ownership.isReserved() && !context.format())) {
            return;
        }
        long millis = timing.association().toMillis();
        LOG.info(
                "Looking for {} ms whether somebody else uses {}, which was not left in order",
                millis,
                medium.name());
        ExternalTierOpening.pause(millis, medium);
        Optional<OwnerRecord> now = OwnerEntry.read(medium);
        if (now.isPresent() && !now.get().equals(before) && !now.get().released()) {
            throw new InvalidArgumentException(
                    medium.name()
                            + " is in use by another storage server, which writes its record;"
                            + " stop that one, or name another namespace");
        }
    }

    /** Shows the capacity; what was discarded before, when nobody can write it any more. */
    private void offer(BlockTable table, SegmentListener listener) {
        blocks.add(table);
        listener.ready(table);
        listener.complete();
        LOG.info("Offering {} bytes in {}", table.dataBytes(), medium.name());
    }

    /** Who may connect is the target's business; tickets are asked for by the control service. */
    @Override
    public void admit(Admission admission) throws CrailException {
        questions.admit(admission);
    }

    @Override
    public void revoke(
            int segment, int record, int length, long generation, FreedListener listener) {
        BlockTable known = blocks.table(segment);
        if (known == null
                || !FlashWords.beginsBlock(record)
                || !revoke(known, record, length, generation, listener)) {
            LOG.warn(
                    "Cannot revoke block {}/{} of generation {}: no such block here",
                    segment,
                    record,
                    Long.toHexString(generation));
        }
    }

    private boolean revoke(
            BlockTable table, int record, int length, long generation, FreedListener listener) {
        RevokedLengths told = lengths;
        if (told != null) {
            told.note(table, record, generation, length);
        }
        return table.revoke(record, generation, listener);
    }

    @Override
    public TierStatistics statistics() {
        TierStatistics asked = questions.statistics();
        int quarantined = blocks.all().stream().mapToInt(BlockTable::quarantined).sum();
        return new TierStatistics(
                asked.connections(), 0, 0, 0, 0, 0, quarantined, asked.requests());
    }

    @Override
    public void close() {
        questions.close();
        Fence rounds;
        CounterStore running;
        synchronized (this) {
            rounds = fence;
            running = counters;
        }
        if (rounds != null) {
            rounds.close();
        }
        if (running != null) {
            running.close();
        }
        if (rounds != null) {
            rounds.release();
        }
        medium.close();
        fabric.close();
    }

    /** The namespace is not ours to remove; its content goes with {@code --format}. */
    @Override
    public void remove() {}
}
