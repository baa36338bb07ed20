// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.limit.Disk;
import io.crail.cli.cluster.ClusterPlan;
import io.crail.cli.cluster.ClusterStart;
import io.crail.cli.cluster.DataDirectory;
import io.crail.cli.cluster.FlashDirectory;
import io.crail.cli.cluster.MachineMemory;
import io.crail.cli.command.ClientConfigurations;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.client.CrailClient;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.StateDirectory;
import io.crail.error.CrailException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.ClientKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One run. Everything it starts is remembered as a leftover of the command before it is started, so
 * that it goes on every path: success, failure, signal.
 */
final class Quickstart {
    private static final Duration READY = Duration.ofSeconds(60);

    private final Invocation invocation;
    private final SourceTree tree;
    private final ByteSize wanted;
    private final int keys;
    private final boolean keep;

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
                DataDirectory.choose(
                        directory, invocation.configuration(), MemoryPlan.wanted(wanted, tree));
        MemoryPlan plan = MemoryPlan.of(wanted, tree, MachineMemory.now(data));
        FlashPlan flash = FlashPlan.of(wanted, FlashDirectory.choose(directory, null));
        tell(data, plan);
        flash.message().ifPresent(this::warn);
        ClusterPlan cluster = clusterPlan(directory, data, plan, flash);
        ClusterStart start = new ClusterStart(cluster, this::say);
        Leftovers.Removal removal = invocation.leftovers().add(start::undo);
        boolean complete = false;
        try {
            Report report;
            long begin = System.nanoTime();
            LocalCluster running = start.run();
            long started = System.nanoTime() - begin;
            tellOfPageCache(flash);
            try (CrailClient client = connect(running)) {
                boolean shared = invocation.configuration().get(ClientKeys.SHARED_MEMORY);
                Stage stage = new Stage(invocation, running, client, shared);
                String processes = running.processNames().size() + " processes";
                stage.add(Measurement.time("start the cluster", processes, started));
                for (Step step : steps(client, plan, flash, start)) {
                    run(step, stage);
                }
                report = new Report(invocation, stage.measurements());
            }
            report.print(keep ? new Report.Kept(name, running) : null);
            complete = true;
        } finally {
            if (!keep || !complete) {
                say("stopping the cluster");
                start.undo();
            }
            invocation.leftovers().forget(removal);
        }
    }

    private CrailClient connect(LocalCluster cluster) throws IOException {
        return CrailClient.connect(
                ClientConfigurations.of(
                        invocation.configuration(), List.of(cluster.namenode()), "quickstart"));
    }

    /** A cluster that stays takes the name that other commands look for, if it is free. */
    private String name(StateDirectory state) throws IOException {
        boolean free = LocalCluster.read(state.cluster(LocalCluster.DEFAULT)) == null;
        return keep && free ? LocalCluster.DEFAULT : "quickstart-" + ProcessHandle.current().pid();
    }

    private void tell(DataDirectory data, MemoryPlan plan) {
        if (!data.shared() && !data.huge()) {
            warn("shared memory is too small: segments are files in " + data.path());
        }
        plan.message().ifPresent(this::warn);
    }

    private void tellOfPageCache(FlashPlan plan) throws IOException {
        if (plan.flash().isPresent() && !Disk.isDirectIn(plan.flash().get().directory())) {
            warn(
                    plan.flash().get().directory().getParent()
                            + " takes no direct I/O: the flash tier works through the page cache,"
                            + " and its figures are those of memory");
        }
    }

    private void warn(String text) {
        invocation.console().err().println("crail: " + text);
    }

    private ClusterPlan clusterPlan(
            Path directory, DataDirectory data, MemoryPlan plan, FlashPlan flash)
            throws IOException {
        return new ClusterPlan(
                directory,
                data.path(),
                MemoryPlan.SERVERS,
                plan.capacity(),
                flash.flash(),
                0,
                true,
                READY,
                !keep,
                invocation.configurationOptions());
    }

    private List<Step> steps(
            CrailClient client, MemoryPlan plan, FlashPlan flash, ClusterStart cluster) {
        GeneratedFile file = new GeneratedFile(plan.file());
        List<Step> steps = new ArrayList<>();
        steps.add(new TreeStep(client, tree));
        steps.add(new FileStep(file));
        steps.add(new ViewStep(file, FileStep.PATH));
        steps.add(new KeyStep(keys));
        steps.add(new ExpiryStep());
        steps.add(new MultiFileStep(plan.multiFile()));
        steps.add(new StreamStep());
        flash.flash().ifPresent(tier -> steps.add(new FlashStep(tier, flash.file())));
        steps.add(new RestartStep(cluster, steps));
        return steps;
    }

    private void run(Step step, Stage stage) throws IOException {
        say(step.subject());
        try {
            step.run(stage);
        } catch (CrailException e) {
            throw CrailException.of(e.code(), failed(step, e), e);
        } catch (IOException e) {
            throw new IOException(failed(step, e), e);
        }
    }

    private static String failed(Step step, IOException error) {
        return "the step '" + step.subject() + "' failed: " + error.getMessage();
    }

    private void say(String step) {
        invocation.console().err().println(step + " ...");
    }
}
