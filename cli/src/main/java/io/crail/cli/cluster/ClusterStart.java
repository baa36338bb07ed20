// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.client.local.LocalCluster;
import io.crail.client.local.LocalFlash;
import io.crail.client.local.StateDirectory;
import io.crail.error.BusyException;
import io.crail.error.CancelledException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NodeExistsException;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.config.NvmfKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts a local cluster: the namenode, then all storage servers at once. Of a cluster of which a
 * part runs it starts what is missing, in the same directories, so that each server is who it was
 * and has what it had. Either everything serves in the end, or everything that was started is
 * stopped again.
 */
public final class ClusterStart {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int FLASH_CLASS = 1;
    private static final String ALLOCATION = NvmfKeys.ALLOCATION.name();

    private final ClusterPlan plan;
    private final Consumer<String> progress;
    private final StartedServers started;
    private boolean ours;

    /**
     * A start.
     *
     * @param plan what to start
     * @param progress told what is waited for
     */
    public ClusterStart(ClusterPlan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
        this.started = new StartedServers(plan.directory(), plan.bound());
    }

    /** What a command locks that starts servers, and a server that ends with its starter. */
    static Path lockFile(Path directory) {
        return directory.resolve("lock");
    }

    /** Starts everything; returns when it serves. */
    public LocalCluster run() throws IOException {
        new StateDirectory(plan.directory()).prepare();
        try (FileChannel lockFile =
                        FileChannel.open(
                                lockFile(plan.directory()),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock lock = lockFile.tryLock()) {
            if (lock == null) {
                throw new BusyException(
                        "another command is starting the cluster in " + plan.directory());
            }
            LocalCluster earlier = LocalCluster.read(plan.directory());
            List<String> dead =
                    earlier == null
                            ? List.of()
                            : earlier.processNames().stream()
                                    .filter(name -> earlier.process(name) == null)
                                    .toList();
            if (earlier == null || dead.size() == earlier.processNames().size()) {
                prepare(earlier);
                return start(new Endpoint(LOOPBACK, namenodePort()), plan.processNames());
            }
            checkSame(earlier, dead);
            return start(earlier.namenode(), dead);
        }
    }

    private void prepare(@Nullable LocalCluster earlier) throws IOException {
        takeOver();
        if (plan.format()) {
            Directories.remove(plan.metadata());
            Directories.removeData(plan.dataDirectory());
            removeFlash(plan.flash());
            removeFlash(earlier == null ? Optional.empty() : earlier.flash());
        }
        new StateDirectory(plan.metadata()).prepare();
        new StateDirectory(plan.dataDirectory()).prepare();
        if (plan.flash().isPresent()) {
            new StateDirectory(plan.flash().get().directory()).prepare();
        }
    }

    private static void removeFlash(Optional<LocalFlash> flash) throws IOException {
        if (flash.isPresent()) {
            Directories.remove(flash.get().directory());
        }
    }

    /** What runs goes on as it was started, and what is missing must fit to it. */
    private void checkSame(LocalCluster earlier, List<String> dead) throws IOException {
        if (dead.isEmpty()) {
            throw new NodeExistsException(
                    "a cluster with its namenode on "
                            + earlier.namenode()
                            + " runs already; 'crail cluster stop' ends it");
        }
        boolean samePort = plan.port() == 0 || plan.port() == earlier.namenode().port();
        boolean same =
                !plan.format()
                        && samePort
                        && plan.servers() == earlier.servers()
                        && plan.capacity().equals(earlier.capacity())
                        && plan.flash().equals(earlier.flash())
                        && plan.options().equals(earlier.options());
        if (!same) {
            throw new InvalidArgumentException(
                    "a part of this cluster runs, so that it cannot become another: without"
                            + " options, 'crail cluster start' starts "
                            + String.join(", ", dead)
                            + " as before; 'crail cluster stop --keep-data' ends all first");
        }
        if (dead.contains(LocalCluster.NAMENODE) && !isFree(earlier.namenode().port())) {
            throw new BusyException(
                    "port "
                            + earlier.namenode().port()
                            + ", where the storage servers look for their namenode, is in use by"
                            + " another process; end that, or 'crail cluster stop --keep-data' and"
                            + " start again");
        }
    }

    private LocalCluster start(Endpoint wanted, List<String> missing) throws IOException {
        long deadline = System.nanoTime() + plan.ready().toNanos();
        // Written before anything runs: whoever ends this command knows what to stop.
        cluster(wanted).write();
        boolean complete = false;
        try {
            Endpoint namenode = wanted;
            if (missing.contains(LocalCluster.NAMENODE)) {
                progress.accept("starting the namenode");
                namenode = startNamenode(wanted.port()).awaitReady(deadline);
            }
            startStorage(missing, namenode, deadline);
            LocalCluster cluster = cluster(namenode);
            cluster.write();
            complete = true;
            return cluster;
        } finally {
            if (!complete) {
                started.end();
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

    private void startStorage(List<String> missing, Endpoint namenode, long deadline)
            throws IOException {
        List<ServerProcess> servers = new ArrayList<>();
        for (int i = 0; i < plan.servers(); i++) {
            if (missing.contains(LocalCluster.storageName(i))) {
                servers.add(startStorage(i, namenode));
            }
        }
        if (plan.flash().isPresent() && missing.contains(LocalCluster.FLASH)) {
            servers.add(startFlash(plan.flash().get(), namenode));
        }
        if (!servers.isEmpty()) {
            progress.accept(
                    servers.size() == 1
                            ? "starting a storage server"
                            : "starting " + servers.size() + " storage servers");
        }
        for (ServerProcess server : servers) {
            server.awaitReady(deadline);
        }
    }

    /**
     * Stops what this start has started; from then on nothing is started any more. May be called by
     * another thread than that of {@link #run}, and again.
     */
    public void cancel() throws IOException {
        started.cancel();
    }

    /**
     * As {@link #cancel}, and removes all files: data, metadata, logs, state; but none of a cluster
     * of which a part ran before.
     */
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
        started.checkOpen();
        ours = true;
    }

    private ServerProcess startNamenode(int port) throws IOException {
        List<String> arguments = new ArrayList<>(plan.options());
        arguments.addAll(
                List.of("--host=" + LOOPBACK, "--port=" + port, "--dir=" + plan.metadata()));
        return started.start(LocalCluster.NAMENODE, arguments);
    }

    private ServerProcess startStorage(int index, Endpoint namenode) throws IOException {
        return startStorage(
                LocalCluster.storageName(index),
                namenode,
                plan.storage(index),
                List.of("--capacity=" + plan.capacity().bytes()));
    }

    private ServerProcess startFlash(LocalFlash flash, Endpoint namenode) throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.add("--tier=nvmf");
        arguments.add("--class=" + FLASH_CLASS);
        arguments.add("--file=" + flash.file());
        arguments.add("--size=" + flash.size().bytes());
        if (plan.options().stream().noneMatch(option -> option.contains(ALLOCATION))) {
            // Who starts a cluster on a laptop does not wait for a disk to be written.
            arguments.add("--set=" + ALLOCATION + "=sparse");
        }
        return startStorage(LocalCluster.FLASH, namenode, flash.serverDirectory(), arguments);
    }

    private ServerProcess startStorage(
            String name, Endpoint namenode, Path directory, List<String> more) throws IOException {
        List<String> arguments = new ArrayList<>(plan.options());
        arguments.addAll(
                List.of(
                        "--host=" + LOOPBACK,
                        "--port=" + earlierPort(name),
                        "--namenode=" + namenode,
                        "--dir=" + directory));
        arguments.addAll(more);
        return started.start(name, arguments);
    }

    private int namenodePort() {
        return plan.port() == 0 ? earlierPort(LocalCluster.NAMENODE) : plan.port();
    }

    /** Where a server listened before, so that whoever knows it finds it again; else any port. */
    private int earlierPort(String name) {
        int port = LocalCluster.address(plan.directory(), name).map(Endpoint::port).orElse(0);
        return port > 0 && isFree(port) ? port : 0;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(
                    new InetSocketAddress(
                            InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private LocalCluster cluster(Endpoint namenode) {
        return new LocalCluster(
                plan.directory(),
                namenode,
                plan.servers(),
                plan.dataDirectory(),
                plan.capacity(),
                plan.flash(),
                plan.options());
    }
}
