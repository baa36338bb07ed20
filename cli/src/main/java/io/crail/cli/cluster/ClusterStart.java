// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.state.LocalCluster;
import io.crail.cli.state.StateDirectory;
import io.crail.error.BusyException;
import io.crail.error.CancelledException;
import io.crail.error.NodeExistsException;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Starts a local cluster: the namenode, then all storage servers at once. Either everything serves
 * in the end, or everything that was started is stopped again.
 */
public final class ClusterStart {
    private final ClusterPlan plan;
    private final Consumer<String> progress;
    private boolean ours;
    private boolean cancelled;

    /**
     * A start.
     *
     * @param plan what to start
     * @param progress told what is waited for
     */
    public ClusterStart(ClusterPlan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** Starts everything; returns when it serves. */
    public LocalCluster run() throws IOException {
        new StateDirectory(plan.directory()).prepare();
        try (FileChannel lockFile =
                        FileChannel.open(
                                plan.directory().resolve("lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock lock = lockFile.tryLock()) {
            if (lock == null) {
                throw new BusyException(
                        "another command is starting the cluster in " + plan.directory());
            }
            prepare();
            return start();
        }
    }

    private void prepare() throws IOException {
        LocalCluster earlier = LocalCluster.read(plan.directory());
        if (earlier != null && earlier.processNames().stream().anyMatch(n -> runs(earlier, n))) {
            List<String> dead =
                    earlier.processNames().stream().filter(n -> !runs(earlier, n)).toList();
            if (!dead.isEmpty()) {
                throw new NodeExistsException(
                        "a part of this cluster runs, but not "
                                + String.join(", ", dead)
                                + ": 'crail cluster stop --keep-data', then 'crail cluster start'"
                                + " brings it back with its data; the logs are in "
                                + plan.directory());
            }
            throw new NodeExistsException(
                    "a cluster with its namenode on "
                            + earlier.namenode()
                            + " runs already; 'crail cluster stop' ends it");
        }
        takeOver();
        if (plan.format()) {
            Directories.remove(plan.metadata());
            Directories.remove(plan.dataDirectory());
        }
        new StateDirectory(plan.metadata()).prepare();
        new StateDirectory(plan.dataDirectory()).prepare();
    }

    private static boolean runs(LocalCluster cluster, String process) {
        return cluster.process(process) != null;
    }

    private LocalCluster start() throws IOException {
        long deadline = System.nanoTime() + plan.ready().toNanos();
        // Written before anything runs: whoever ends this command knows what to stop.
        cluster(new Endpoint("127.0.0.1", plan.port())).write();
        boolean started = false;
        try {
            progress.accept("starting the namenode");
            Endpoint namenode = startNamenode().awaitReady(deadline);
            progress.accept("starting " + plan.servers() + " storage servers");
            List<ServerProcess> servers = new ArrayList<>();
            for (int i = 0; i < plan.servers(); i++) {
                servers.add(startStorage(i, namenode));
            }
            for (ServerProcess server : servers) {
                server.awaitReady(deadline);
            }
            LocalCluster cluster = cluster(namenode);
            cluster.write();
            started = true;
            return cluster;
        } finally {
            if (!started) {
                stopWhatRuns();
            }
        }
    }

    /**
     * Kills a storage server of the cluster that {@link #run} has started, as {@code kill -9} does,
     * and starts it again over its directory.
     *
     * @return its address; it serves
     */
    public Endpoint killAndRestartStorage(int index) throws IOException {
        LocalCluster cluster = LocalCluster.read(plan.directory());
        if (cluster == null) {
            throw new CancelledException("the cluster was stopped");
        }
        new ClusterStop(cluster).kill(LocalCluster.storageName(index));
        long deadline = System.nanoTime() + plan.ready().toNanos();
        return startStorage(index, cluster.namenode()).awaitReady(deadline);
    }

    /** Logs stay, so that one can see why it failed. */
    private void stopWhatRuns() throws IOException {
        LocalCluster cluster = LocalCluster.read(plan.directory());
        if (cluster != null) {
            new ClusterStop(cluster).endProcesses();
        }
    }

    /**
     * Stops what was started; from then on nothing is started any more. Touches nothing if another
     * cluster was there before. May be called by another thread than that of {@link #run}, and
     * again.
     */
    public void cancel() throws IOException {
        synchronized (this) {
            cancelled = true;
            if (!ours) {
                return;
            }
        }
        stopWhatRuns();
    }

    /** As {@link #cancel}, and removes all files: data, metadata, logs, state. */
    public void undo() throws IOException {
        cancel();
        LocalCluster cluster = LocalCluster.read(plan.directory());
        synchronized (this) {
            if (!ours || cluster == null) {
                return;
            }
        }
        new ClusterStop(cluster).removeFiles();
    }

    private synchronized void takeOver() throws CancelledException {
        if (cancelled) {
            throw new CancelledException("the start was cancelled");
        }
        ours = true;
    }

    /** Once this returns the process has its pid file: no process escapes {@link #undo}. */
    private synchronized ServerProcess launch(String role, String name, List<String> arguments)
            throws IOException {
        if (cancelled) {
            throw new CancelledException("the start was cancelled");
        }
        return ServerProcess.start(role, name, plan.directory(), arguments);
    }

    private ServerProcess startNamenode() throws IOException {
        List<String> arguments = new ArrayList<>(plan.options());
        arguments.addAll(
                List.of("--host=127.0.0.1", "--port=" + plan.port(), "--dir=" + plan.metadata()));
        return ServerProcess.start("namenode", LocalCluster.NAMENODE, plan.directory(), arguments);
    }

    private ServerProcess startStorage(int index, Endpoint namenode) throws IOException {
        List<String> arguments = new ArrayList<>(plan.options());
        arguments.addAll(
                List.of(
                        "--host=127.0.0.1",
                        "--port=0",
                        "--namenode=" + namenode,
                        "--dir=" + plan.storage(index),
                        "--capacity=" + plan.capacity().bytes()));
        return launch("storage", LocalCluster.storageName(index), arguments);
    }

    private LocalCluster cluster(Endpoint namenode) {
        return new LocalCluster(plan.directory(), namenode, plan.servers(), plan.dataDirectory());
    }
}
