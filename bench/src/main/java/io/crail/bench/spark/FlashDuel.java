// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.bench.limit.Disk;
import io.crail.bench.measure.MachineTime;
import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.measure.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Rounds of a row whose shuffle is larger than the memory of one of two stores: all in memory, on
 * flash, all in memory, ... as {@link Duel} does it with vanilla and crail. What really went to
 * flash is looked at after each round, before it is removed; what the disk itself does with as many
 * bytes is measured behind the rounds. Not thread-safe.
 */
final class FlashDuel {
    /** What blocks granted ahead of need may take: 64 MiB for each task, and more than enough. */
    private static final long GRANTED_AHEAD = 512L << 20;

    /** The longest that the disk may need for all bytes of a round. */
    private static final Duration DISK = Duration.ofMinutes(10);

    private static final int MEBIBYTE = 1 << 20;

    private final SparkRow row;
    private final SparkEffort effort;
    private final SparkApplication.Launcher launcher;
    private final List<ProcessHandle> servers;
    private final FlashStore.Provider provider;
    private final SparkProgress progress;
    private final Rounds rounds;
    private final List<FlashResult.Pair> pairs = new ArrayList<>();
    private FlashStore.Use use = new FlashStore.Use(0, 0);

    /**
     * A row that is not measured yet.
     *
     * @param servers of the store that holds all in memory
     * @param provider makes the other one
     */
    FlashDuel(
            SparkRow row,
            SparkEffort effort,
            SparkApplication.Launcher launcher,
            List<ProcessHandle> servers,
            FlashStore.Provider provider,
            SparkProgress progress) {
        this.row = row;
        this.effort = effort;
        this.launcher = launcher;
        this.servers = servers;
        this.provider = provider;
        this.progress = progress;
        this.rounds = new Rounds(row, effort);
    }

    FlashResult run() throws IOException {
        progress.step("start");
        return provider.run(memory(), flash(), this::measure);
    }

    /** Bytes of the values: what the shuffle has besides only makes the part smaller. */
    private long shuffle() {
        Job job = row.crailJob();
        return (long) job.size("maps") * job.size("records") * job.size("bytes");
    }

    private long memory() {
        long bytes = (long) (row.inMemory() * shuffle());
        return Math.max(1, bytes / MEBIBYTE) * MEBIBYTE;
    }

    private long flash() {
        return shuffle() + shuffle() / 4 + GRANTED_AHEAD;
    }

    private FlashResult measure(FlashStore store) throws IOException {
        MachineTime before = MachineTime.now();
        pairs(store);
        double stolen = MachineTime.now().stolenSince(before);
        double load = ProcessorTime.load();
        progress.step("the disk");
        boolean compared = rounds.compared(Side.CRAIL, Side.CRAIL_FLASH);
        return new FlashResult(row, pairs, compared, memory(), use, disk(store), load, stolen);
    }

    private void pairs(FlashStore store) throws IOException {
        try (SparkApplication memory = launcher.start(Side.CRAIL, row.crail());
                SparkApplication flash = launcher.start(Side.CRAIL_FLASH, row.crail())) {
            memory.prepare(row.crailJob());
            flash.prepare(row.crailJob());
            rounds.warmUp(memory, Side.CRAIL, flash, Side.CRAIL_FLASH, progress);
            for (int i = 0; i < effort.pairs(); i++) {
                progress.step("pair " + (i + 1) + " of " + effort.pairs());
                pairs.add(
                        new FlashResult.Pair(
                                rounds.round(memory, Side.CRAIL, servers),
                                rounds.round(
                                        flash,
                                        Side.CRAIL_FLASH,
                                        store.servers(),
                                        () -> use = more(use, store.use()))));
            }
        }
    }

    private static FlashStore.Use more(FlashStore.Use one, FlashStore.Use other) {
        return new FlashStore.Use(
                one.inMemory() + other.inMemory(), one.onFlash() + other.onFlash());
    }

    /** What the disk does with as many bytes as went to flash in a round. */
    private FlashResult.DiskTime disk(FlashStore store) throws IOException {
        long bytes = Math.max(Disk.PIECE, use.onFlash() / Math.max(1, pairs.size()));
        try (Disk disk = Disk.in(store.directory(), bytes, DISK)) {
            // The file of the tier has its space, too.
            disk.write(bytes);
            double[] writes = new double[effort.others()];
            double[] reads = new double[effort.others()];
            for (int i = 0; i < writes.length; i++) {
                writes[i] = disk.write(bytes) / 1e9;
                reads[i] = disk.read(bytes) / 1e9;
            }
            return new FlashResult.DiskTime(
                    new Sample(writes).median(), new Sample(reads).median(), disk.isDirect());
        }
    }
}
