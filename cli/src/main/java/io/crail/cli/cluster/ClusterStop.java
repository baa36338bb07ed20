// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.client.local.LocalCluster;
import io.crail.error.CancelledException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Stops a local cluster: asks all processes to end, and kills those that do not. */
public final class ClusterStop {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 10;
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private final LocalCluster cluster;

    public ClusterStop(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Ends all processes.
     *
     * @return names of those that ran
     */
    public List<String> endProcesses() throws IOException {
        return endProcesses(cluster.processNames());
    }

    /** As {@link #endProcesses()}, for some of them. */
    List<String> endProcesses(List<String> names) throws IOException {
        List<String> ended = new ArrayList<>();
        for (String name : names) {
            ProcessHandle process = cluster.process(name);
            if (process != null) {
                process.destroy();
                ended.add(name);
            }
        }
        for (String name : await(ended, PATIENCE)) {
            ProcessHandle stubborn = cluster.process(name);
            if (stubborn != null) {
                stubborn.destroyForcibly();
            }
        }
        List<String> left = await(ended, AFTER_KILL);
        if (!left.isEmpty()) {
            throw new TimeoutException(
                    String.join(", ", left) + " of " + cluster.directory() + " does not end");
        }
        for (String name : names) {
            Files.deleteIfExists(LocalCluster.pidFile(cluster.directory(), name));
        }
        return ended;
    }

    /** Ends one process without asking it; it is gone when this returns. */
    void kill(String name) throws IOException {
        ProcessHandle process = cluster.process(name);
        if (process == null) {
            throw new ServerLostException(
                    name + " has ended by itself; its log is in " + cluster.directory());
        }
        process.destroyForcibly();
        if (!await(List.of(name), AFTER_KILL).isEmpty()) {
            throw new TimeoutException(name + " of " + cluster.directory() + " does not end");
        }
    }

    /** Removes everything that the cluster has left: data, metadata, logs, state. */
    public void removeFiles() throws IOException {
        Directories.removeData(cluster.data());
        if (cluster.flash().isPresent()) {
            Directories.remove(cluster.flash().get().directory());
        }
        Directories.remove(cluster.directory());
    }

    /**
     * Waits for all; returns those that still run. The pid files are looked at again and again:
     * {@link ProcessHandle#onExit} of a process that is no child takes a second to notice, and
     * never does while nobody has asked for the exit code of a dead process.
     */
    private List<String> await(List<String> names, Duration bound) throws CancelledException {
        long deadline = System.nanoTime() + bound.toNanos();
        List<String> running = names;
        while (true) {
            running = running.stream().filter(name -> cluster.process(name) != null).toList();
            if (running.isEmpty() || System.nanoTime() - deadline >= 0) {
                return running;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancelledException("interrupted while processes were ending", e);
            }
        }
    }
}
