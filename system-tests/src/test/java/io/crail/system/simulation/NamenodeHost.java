// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.namenode.DrivenNamenode;
import io.crail.namenode.HostEnvironment;
import io.crail.namenode.NamenodeConfig;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.rpc.LoopEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The namenode: the real one, killed and started again on its metadata directory. */
final class NamenodeHost implements Host {
    static final String ADDRESS = "127.0.0.1";
    static final int PORT = 9_060;

    private final Network network;
    private final Path directory;
    private final SeededRandom random;
    private final FailingDisk disk = new FailingDisk();
    private @Nullable Machine machine;
    private @Nullable DrivenNamenode namenode;
    private @Nullable SimulatedProcess process;

    NamenodeHost(Network network, Path directory, long seed) {
        this.network = network;
        this.directory = directory;
        this.random = new SeededRandom(seed);
    }

    @Override
    public void start() throws IOException {
        Timeline timeline = network.timeline();
        Machine made = network.start(ADDRESS);
        NamenodeConfig config =
                NamenodeConfig.builder(directory)
                        .unixSocket(false)
                        .bind(ADDRESS, PORT)
                        .inlineMemory(4 << 20)
                        .sessionTimeout(Limits.SESSION)
                        .leaseTime(Limits.LEASE)
                        .deadServerTime(Limits.DEAD_SERVER)
                        .serverReturnTime(Duration.ofMillis(500))
                        .unlinkedRetention(Limits.RETENTION)
                        .build();
        HostEnvironment host =
                new HostEnvironment(
                        disk,
                        new WallClock(timeline),
                        timeline::now,
                        random,
                        "boot",
                        new LoopEnvironment(made, timeline::now));
        DrivenNamenode started = DrivenNamenode.start(config, host);
        SimulatedProcess turning = new SimulatedProcess(timeline, started::turn);
        made.ownSelectors(turning);
        machine = made;
        namenode = started;
        process = turning;
    }

    @Override
    public void kill() throws IOException {
        if (machine != null && namenode != null && process != null) {
            process.end();
            machine.kill();
            namenode.drop();
        }
        machine = null;
        namenode = null;
        process = null;
    }

    @Override
    public boolean isUp() {
        return namenode != null;
    }

    @Override
    public void freeze(long nanos) {
        if (process != null) {
            process.freeze(nanos);
        }
    }

    FailingDisk disk() {
        return disk;
    }

    /** The block map, to be looked at between events. */
    BlockMap blocks() {
        return Objects.requireNonNull(namenode, "the namenode is down").blocks();
    }

    /** A wall clock that goes as virtual time does. */
    private static final class WallClock extends Clock {
        private final Timeline timeline;

        WallClock(Timeline timeline) {
            this.timeline = timeline;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(1_700_000_000).plusNanos(timeline.elapsed());
        }
    }
}
