// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.cli.cluster.ClusterPlan;
import io.crail.cli.cluster.ClusterStart;
import io.crail.cli.cluster.DataDirectory;
import io.crail.cli.cluster.FlashDirectory;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.LocalFlash;
import io.crail.client.local.StateDirectory;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.NvmfKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A namenode and a storage server for one run of benchmarks. They and their files go on every path:
 * success, failure, signal; and by themselves if this process is killed.
 */
final class BenchCluster {
    private static final Duration READY = Duration.ofSeconds(60);

    /** Until a file for flash is written once. */
    private static final Duration FLASH_READY = Duration.ofMinutes(5);

    private final Invocation invocation;
    private final ByteSize capacity;
    private final List<String> options;
    private final Optional<Flash> flash;

    /**
     * A cluster that is not started yet.
     *
     * @param capacity bytes that it offers
     * @param options of its servers: configuration; none = as shipped
     */
    BenchCluster(Invocation invocation, long capacity, List<String> options) {
        this(invocation, capacity, options, Optional.empty());
    }

    private BenchCluster(
            Invocation invocation, long capacity, List<String> options, Optional<Flash> flash) {
        this.invocation = invocation;
        this.capacity = new ByteSize(capacity);
        this.options = List.copyOf(options);
        this.flash = flash;
    }

    /**
     * The same, with a flash tier, beside one without.
     *
     * @param size bytes of its file
     * @param parent existing directory for it; null chooses one on disk
     */
    BenchCluster withFlash(long size, @Nullable Path parent) {
        return new BenchCluster(
                invocation,
                capacity.bytes(),
                options,
                Optional.of(new Flash(new ByteSize(size), parent)));
    }

    private record Flash(ByteSize size, @Nullable Path parent) {}

    /** What is done with the cluster. */
    @FunctionalInterface
    interface Use<T> {
        /** Does it. */
        T with(LocalCluster cluster) throws IOException;
    }

    <T> T run(Use<T> use) throws IOException {
        StateDirectory state = StateDirectory.ofUser(invocation.environment());
        state.prepare();
        Path directory = state.cluster(name());
        DataDirectory data =
                DataDirectory.choose(directory, invocation.configuration(), capacity.bytes());
        if (data.usable() < capacity.bytes()) {
            throw new OutOfSpaceException(
                    "the benchmarks need "
                            + capacity.rounded()
                            + " in "
                            + data.path().getParent()
                            + ", and there are "
                            + new ByteSize(data.usable()).rounded()
                            + "; --quick needs less");
        }
        ClusterPlan plan =
                new ClusterPlan(
                        directory,
                        data.path(),
                        1,
                        capacity,
                        flash.isPresent()
                                ? Optional.of(place(directory, flash.get()))
                                : Optional.empty(),
                        0,
                        true,
                        flash.isPresent() ? FLASH_READY : READY,
                        true,
                        processOptions());
        ClusterStart start = new ClusterStart(plan, this::say);
        Leftovers.Removal removal = invocation.leftovers().add(start::undo);
        try {
            return use.with(start.run());
        } finally {
            say("stopping the cluster");
            start.undo();
            invocation.leftovers().forget(removal);
        }
    }

    private String name() {
        return "bench-" + ProcessHandle.current().pid() + (flash.isPresent() ? "-flash" : "");
    }

    private static LocalFlash place(Path directory, Flash flash) throws IOException {
        return FlashDirectory.choose(directory, flash.parent).of(flash.size);
    }

    /** What is measured has its space before: that is how a server is shipped. */
    private List<String> processOptions() {
        List<String> all = new ArrayList<>();
        if (flash.isPresent()) {
            all.add("--set=" + NvmfKeys.ALLOCATION.name() + "=written");
        }
        all.addAll(options);
        return all;
    }

    /** Its processes. */
    static List<ProcessHandle> processes(LocalCluster cluster) {
        return cluster.processNames().stream()
                .map(cluster::process)
                .filter(Objects::nonNull)
                .toList();
    }

    private void say(String step) {
        invocation.console().err().println(step + " ...");
    }
}
