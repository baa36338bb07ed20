// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.error.CrailException;
import io.crail.protocol.message.ServerTable.Endpoint;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.block.Pins;
import io.crail.storage.directory.ServerDirectory;
import io.crail.storage.segment.Segment;
import io.crail.storage.segment.SegmentFiles;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.FreedListener;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierStatistics;
import io.crail.storage.tcp.DrivenDataService;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The tier of DRAM over TCP without its threads and its listening socket: the real segments, block
 * tables and connections.
 */
final class SimulatedTier implements StorageTier {
    static final int PORT = 9_100;
    private static final long SEGMENT_BYTES = 4 << 20;
    private static final long ADMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Timeline timeline;
    private final Machine machine;
    private final Blocks blocks = new Blocks();
    private final SegmentFiles files;
    private final SimulatedListener listener;
    private final DrivenDataService service;
    private final SimulatedProcess process;

    SimulatedTier(Machine machine, ServerDirectory directory, Random random) {
        this.machine = machine;
        this.timeline = machine.network().timeline();
        this.files =
                new SegmentFiles(
                        directory.path(), directory.identity(), random, path -> Long.MAX_VALUE);
        this.listener = new SimulatedListener(machine);
        listener.bind(new InetSocketAddress(machine.host(), PORT), 0);
        this.service = new DrivenDataService(blocks, machine, timeline::now);
        this.process = new SimulatedProcess(timeline, this::turn);
        listener.whenOffered(process::poke);
        machine.ownSelectors(process);
    }

    private long turn() {
        SocketChannel accepted;
        while ((accepted = listener.accept()) != null) {
            service.accept(accepted);
        }
        return service.turn();
    }

    void freeze(long nanos) {
        process.freeze(nanos);
    }

    @Override
    public List<Endpoint> endpoints() {
        return List.of(new Endpoint("tcp", machine.host(), PORT));
    }

    @Override
    public void join(UUID cluster, SegmentListener segments) throws CrailException {
        List<Segment> attached = files.attach(cluster);
        if (attached.isEmpty()) {
            Segment made = files.create(0, cluster, SEGMENT_BYTES, () -> false);
            attached = made == null ? List.of() : List.of(made);
        }
        for (Segment segment : attached) {
            BlockTable table = new BlockTable(segment, Pins.NONE);
            blocks.add(table);
            segments.ready(table);
        }
        segments.complete();
    }

    @Override
    public void admit(Admission admission) {
        Admission before = service.admission();
        service.admit(admission);
        if (before != null && !admission.acceptsGrantsOf(before)) {
            while (!service.isIdle()) {
                process.poke();
                ((Fiber) Thread.currentThread()).pause(ADMIT_NANOS);
            }
        }
    }

    @Override
    public void revoke(int segment, int record, int length, long generation, FreedListener freed) {
        BlockTable table = blocks.table(segment);
        if (table == null || !table.revoke(record, generation, freed)) {
            return;
        }
        if (table.isPending(record, generation)) {
            timeline.after(
                    ServiceLimits.DEFAULT.revokeTimeout().toNanos(),
                    () -> {
                        if (table.isPending(record, generation)) {
                            service.closeHolders(table, record, generation);
                        }
                    });
        }
    }

    @Override
    public TierStatistics statistics() {
        return service.statistics();
    }

    @Override
    public void close() {
        process.end();
        service.drop();
    }

    @Override
    public void remove() {
        throw new UnsupportedOperationException("nothing is kept elsewhere");
    }
}
