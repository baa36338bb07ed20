// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.cluster.ClusterPlan;
import io.crail.cli.cluster.ClusterStart;
import io.crail.cli.cluster.DataDirectory;
import io.crail.cli.command.ClientConfigurations;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.cli.state.LocalCluster;
import io.crail.cli.state.StateDirectory;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One run. Everything it starts is remembered as a leftover of the command before it is started, so
 * that it goes on every path: success, failure, signal.
 */
final class Quickstart {
    private static final Duration READY = Duration.ofSeconds(60);
    private static final long STREAM_BYTES = 1L << 30;
    private static final String TREE = "/tree";

    private final Invocation invocation;
    private final SourceTree tree;
    private final ByteSize wanted;
    private final int keys;
    private final boolean keep;
    private final List<Measurement> measurements = new ArrayList<>();

    Quickstart(Invocation invocation, SourceTree tree, ByteSize wanted, int keys, boolean keep) {
        this.invocation = invocation;
        this.tree = tree;
        this.wanted = wanted;
        this.keys = keys;
        this.keep = keep;
    }

    void run() throws IOException {
        StateDirectory state = StateDirectory.ofUser(invocation.environment());
        state.prepare();
        String name = name(state);
        Path directory = state.cluster(name);
        DataDirectory data =
                DataDirectory.choose(directory, wanted.bytes() + MemoryPlan.others(tree));
        MemoryPlan plan = MemoryPlan.of(wanted, tree, MachineMemory.now(data.usable()));
        tell(data, plan);
        ClusterStart start = new ClusterStart(clusterPlan(directory, data, plan), this::say);
        Leftovers.Removal removal = invocation.leftovers().add(start::undo);
        boolean complete = false;
        try {
            say("measuring the machine's own limits");
            MachineLimits limits = MachineLimits.measure(Math.min(STREAM_BYTES, plan.file() * 4));
            long begin = System.nanoTime();
            LocalCluster cluster = start.run();
            add(
                    Measurement.time(
                            "start the cluster",
                            1 + MemoryPlan.SERVERS + " processes",
                            System.nanoTime() - begin));
            try (CrailClient client =
                    CrailClient.connect(
                            ClientConfigurations.of(
                                    invocation.configuration(),
                                    List.of(cluster.namenode()),
                                    "quickstart"))) {
                work(client, new GeneratedFile(plan.file()), limits);
            }
            complete = true;
            Report report = new Report(invocation, measurements, limits);
            report.print(keep ? new Report.Kept(name, cluster) : null);
        } finally {
            if (!keep || !complete) {
                say("stopping the cluster");
                start.undo();
            }
            invocation.leftovers().forget(removal);
        }
    }

    /** A cluster that stays takes the name that other commands look for, if it is free. */
    private String name(StateDirectory state) throws IOException {
        boolean free = LocalCluster.read(state.cluster(LocalCluster.DEFAULT)) == null;
        return keep && free ? LocalCluster.DEFAULT : "quickstart-" + ProcessHandle.current().pid();
    }

    private void tell(DataDirectory data, MemoryPlan plan) {
        if (!data.shared()) {
            warn("shared memory is too small: segments are files in " + data.path());
        }
        plan.message().ifPresent(this::warn);
    }

    private void warn(String text) {
        invocation.console().err().println("crail: " + text);
    }

    private ClusterPlan clusterPlan(Path directory, DataDirectory data, MemoryPlan plan)
            throws IOException {
        return new ClusterPlan(
                directory,
                data.path(),
                MemoryPlan.SERVERS,
                plan.capacity(),
                0,
                true,
                READY,
                invocation.configurationOptions());
    }

    private void work(CrailClient client, GeneratedFile file, MachineLimits limits)
            throws IOException {
        copyTree(client, limits);
        copyFile(client, file, limits);
        Workload workload = new Workload(client, bytes -> {});
        say("looking up, putting and getting " + String.format(Locale.ROOT, "%,d", keys) + " keys");
        double roundTrip = limits.roundTripNanos();
        add(Measurement.latency("look up a file", workload.lookups(keys), roundTrip));
        add(Measurement.latency("put 100 B", workload.puts(keys), roundTrip));
        add(Measurement.latency("get 100 B, comparing", workload.gets(keys), roundTrip));
    }

    private void copyTree(CrailClient client, MachineLimits limits) throws IOException {
        String amount =
                String.format(
                        Locale.ROOT,
                        "%,d files, %s",
                        tree.files().size(),
                        Measurement.size(tree.bytes()));
        try (Progress progress = progress("tree", 2 * tree.bytes())) {
            TreeCopy copy = new TreeCopy(client, tree, TREE, progress::add);
            addFiles("copy the tree in", amount, time(copy::copyIn), limits);
            addFiles("read it back, comparing", amount, time(copy::compare), limits);
        }
    }

    private void copyFile(CrailClient client, GeneratedFile file, MachineLimits limits)
            throws IOException {
        long checksum = file.checksum();
        try (Progress progress = progress("file", 2 * file.length())) {
            Workload workload = new Workload(client, progress::add);
            long written = time(() -> workload.write(file));
            addBytes("write a generated file", file.length(), written, limits);
            long read = time(() -> workload.readAndCompare(file, checksum));
            addBytes("read it back, comparing", file.length(), read, limits);
        }
    }

    private static long time(Invocation.Action action) throws IOException {
        long start = System.nanoTime();
        action.run();
        return System.nanoTime() - start;
    }

    private void addFiles(String operation, String amount, long nanos, MachineLimits limits) {
        int files = tree.files().size();
        add(Measurement.count(operation, amount, files, nanos, limits.roundTripNanos()));
    }

    private void addBytes(String operation, long bytes, long nanos, MachineLimits limits) {
        String amount = Measurement.size(bytes);
        double limit = limits.bytesPerSecond();
        add(Measurement.throughput(operation, amount, bytes, nanos, limit));
    }

    private Progress progress(String label, long bytes) {
        Progress progress = Progress.of(invocation.console(), label);
        progress.expect(bytes);
        return progress;
    }

    private void add(Measurement measurement) {
        measurements.add(measurement);
    }

    private void say(String step) {
        invocation.console().err().println(step + " ...");
    }
}
