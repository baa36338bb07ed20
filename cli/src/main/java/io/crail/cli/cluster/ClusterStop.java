// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.state.LocalCluster;
import io.crail.error.CancelledException;
import io.crail.error.TimeoutException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Stops a local cluster: asks all processes to end, and kills those that do not. */
public final class ClusterStop {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private final LocalCluster cluster;

    public ClusterStop(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Ends the processes.
     *
     * @return names of those that ran
     */
    public List<String> endProcesses() throws IOException {
        List<String> names = new ArrayList<>();
        List<ProcessHandle> running = new ArrayList<>();
        for (String name : cluster.processNames()) {
            ProcessHandle process = cluster.process(name);
            if (process != null) {
                process.destroy();
                names.add(name);
                running.add(process);
            }
        }
        List<ProcessHandle> stubborn = await(running, PATIENCE);
        stubborn.forEach(ProcessHandle::destroyForcibly);
        if (!await(stubborn, AFTER_KILL).isEmpty()) {
            throw new TimeoutException(
                    "a process of the cluster in " + cluster.directory() + " does not end");
        }
        for (String name : cluster.processNames()) {
            Files.deleteIfExists(LocalCluster.pidFile(cluster.directory(), name));
        }
        return names;
    }

    /** Removes everything that the cluster has left: data, metadata, logs, state. */
    public void removeFiles() throws IOException {
        Directories.remove(ClusterPlan.dataDirectory(cluster.directory()));
        Directories.remove(cluster.directory());
    }

    /** Waits for all; returns those that still run. */
    private static List<ProcessHandle> await(List<ProcessHandle> processes, Duration bound)
            throws CancelledException {
        long deadline = System.nanoTime() + bound.toNanos();
        List<ProcessHandle> left = new ArrayList<>();
        for (ProcessHandle process : processes) {
            long nanos = Math.max(1, deadline - System.nanoTime());
            try {
                process.onExit().get(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancelledException("interrupted while processes were ending", e);
            } catch (java.util.concurrent.TimeoutException e) {
                left.add(process);
            } catch (ExecutionException e) {
                throw new IllegalStateException("waiting for a process failed", e);
            }
        }
        return left;
    }
}
