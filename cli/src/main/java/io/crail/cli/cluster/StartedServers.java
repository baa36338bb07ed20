// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.client.local.LocalCluster;
import io.crail.error.CancelledException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The servers that one command starts, so that it can end these and no others. Thread-safe: a
 * signal ends them while they are being started.
 */
final class StartedServers {
    private final Path directory;
    private final boolean bound;

    /** Kept: the pipes of those that are bound end with these objects. */
    private final List<ServerProcess> processes = new ArrayList<>();

    private final List<String> names = new ArrayList<>();
    private boolean cancelled;

    /**
     * None yet, of the cluster in a directory.
     *
     * @param bound whether they end with this process
     */
    StartedServers(Path directory, boolean bound) {
        this.directory = directory;
        this.bound = bound;
    }

    /** Once this returns the process has its pid file: no process escapes {@link #end}. */
    synchronized ServerProcess start(String name, List<String> arguments) throws IOException {
        checkOpen();
        names.add(name);
        ServerProcess process = ServerProcess.start(name, directory, arguments, bound);
        processes.add(process);
        return process;
    }

    synchronized void checkOpen() throws CancelledException {
        if (cancelled) {
            throw new CancelledException("the start was cancelled");
        }
    }

    /** Ends them; from then on nothing is started any more. May be called again. */
    void cancel() throws IOException {
        synchronized (this) {
            cancelled = true;
        }
        end();
    }

    /** Ends them. Logs stay, so that one can see why it failed. */
    void end() throws IOException {
        List<String> started;
        synchronized (this) {
            started = List.copyOf(names);
        }
        LocalCluster cluster = LocalCluster.read(directory);
        if (cluster != null && !started.isEmpty()) {
            new ClusterStop(cluster).endProcesses(started);
        }
    }
}
