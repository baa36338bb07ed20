// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import io.crail.client.local.LocalCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What the steps work with: a cluster that runs, and the report that they add to. */
final class Stage {
    private final Invocation invocation;
    private final LocalCluster cluster;
    private final CrailClient client;
    private final MemoryWork memory = new MemoryWork(1);
    private final ByteLimit limit;
    private final List<Measurement> measurements = new ArrayList<>();

    Stage(Invocation invocation, LocalCluster cluster, CrailClient client, boolean sharedMemory) {
        this.invocation = invocation;
        this.cluster = cluster;
        this.client = client;
        this.limit = ByteLimit.of(sharedMemory, memory);
    }

    Invocation invocation() {
        return invocation;
    }

    LocalCluster cluster() {
        return cluster;
    }

    CrailClient client() {
        return client;
    }

    /** What the machine can do with memory, on one thread. */
    MemoryWork memory() {
        return memory;
    }

    /** What the machine can do with bytes, the way this client moves them. */
    ByteLimit limit() {
        return limit;
    }

    void add(Measurement measurement) {
        measurements.add(measurement);
    }

    List<Measurement> measurements() {
        return List.copyOf(measurements);
    }

    /** A line that tells a person how far many bytes are. */
    Progress progress(String label, long bytes) {
        Progress progress = Progress.of(invocation.console(), label);
        progress.expect(bytes);
        return progress;
    }

    static long time(Invocation.Action action) throws IOException {
        long start = System.nanoTime();
        action.run();
        return System.nanoTime() - start;
    }
}
