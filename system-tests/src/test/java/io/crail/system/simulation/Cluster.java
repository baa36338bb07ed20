// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** All processes of a run, and what the faults do to them. */
final class Cluster {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Timeline timeline;
    private final Network network;
    private final NamenodeHost namenode;
    private final List<StorageHost> servers = new ArrayList<>();
    private final List<ClientHost> clients = new ArrayList<>();
    private boolean wiped;

    Cluster(Scenario scenario, Path directory) {
        SplittableRandom random = new SplittableRandom(~scenario.seed());
        timeline = new Timeline(random.split());
        network = new Network(timeline);
        namenode = new NamenodeHost(network, directory.resolve("namenode"), random.nextLong());
        for (int i = 0; i < scenario.servers(); i++) {
            servers.add(
                    new StorageHost(
                            network, directory.resolve("server" + i), i, random.nextLong()));
        }
        // One more, which no fault finds: it looks at what is left.
        for (int i = 0; i <= scenario.clients(); i++) {
            clients.add(new ClientHost(network, i, random.nextLong()));
        }
    }

    Timeline timeline() {
        return timeline;
    }

    NamenodeHost namenode() {
        return namenode;
    }

    ClientHost client(int number) {
        return clients.get(number);
    }

    ClientHost auditor() {
        return clients.get(clients.size() - 1);
    }

    /** Whether a server has lost its memory. */
    boolean isWiped() {
        return wiped;
    }

    /** Starts what is down, but for the auditor. */
    void startAll() {
        startNamenode();
        servers.forEach(Cluster::start);
        clients.subList(0, clients.size() - 1).forEach(Cluster::start);
    }

    static void start(Host host) {
        try {
            if (!host.isUp()) {
                host.start();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its supervisor tries again while the disk is full. */
    private void startNamenode() {
        try {
            if (!namenode.isUp()) {
                namenode.start();
            }
        } catch (IOException e) {
            if (!namenode.disk().isFull()) {
                throw new UncheckedIOException(e);
            }
            timeline.after(RETRY_NANOS, this::startNamenode);
        }
    }

    static void kill(Host host) {
        try {
            host.kill();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void killClients() {
        clients.forEach(Cluster::kill);
    }

    void killAll() {
        killClients();
        servers.forEach(Cluster::kill);
        kill(namenode);
    }

    void strike(Fault fault) {
        timeline.note(fault.kind().name().hashCode() * 31L + fault.target());
        Connection connection = network.pick(fault.target());
        StorageHost server = servers.get(fault.target() % servers.size());
        ClientHost client = clients.get(fault.target() % (clients.size() - 1));
        switch (fault.kind()) {
            case KILL_NAMENODE -> {
                kill(namenode);
                timeline.after(fault.nanos(), this::startNamenode);
            }
            case FULL_DISK -> fillDisk(fault.nanos());
            case KILL_STORAGE -> restart(server, fault.nanos());
            case WIPE_STORAGE -> wipe(server, fault.nanos());
            case KILL_CLIENT -> restart(client, fault.nanos());
            case FREEZE_NAMENODE -> namenode.freeze(fault.nanos());
            case FREEZE_STORAGE -> server.freeze(fault.nanos());
            case FREEZE_CLIENT -> client.freeze(fault.nanos());
            default -> {
                if (connection != null) {
                    strike(fault, connection);
                }
            }
        }
    }

    private static void strike(Fault fault, Connection connection) {
        switch (fault.kind()) {
            case RESET -> connection.reset();
            case TRUNCATE_REQUEST -> connection.toServer.truncateNext();
            case TRUNCATE_ANSWER -> connection.toClient.truncateNext();
            case DELAY_REQUEST -> connection.toServer.delayNext(fault.nanos());
            case DELAY_ANSWER -> connection.toClient.delayNext(fault.nanos());
            case DUPLICATE_REQUEST -> connection.toServer.duplicateNextFrame();
            case SLOW -> {
                connection.toServer.slowDown(fault.nanos());
                connection.toClient.slowDown(fault.nanos());
            }
            case HALF_OPEN -> connection.becomeHalfOpen();
            case DEAF -> connection.becomeDeaf(connection.toClient);
            default -> throw new AssertionError(fault.kind());
        }
    }

    private void restart(Host host, long nanos) {
        kill(host);
        timeline.after(nanos, () -> start(host));
    }

    private void fillDisk(long nanos) {
        namenode.disk().full(true);
        timeline.after(
                nanos,
                () -> {
                    kill(namenode);
                    namenode.disk().full(false);
                    startNamenode();
                });
    }

    private void wipe(StorageHost server, long nanos) {
        kill(server);
        wiped = true;
        try {
            server.wipe();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        timeline.after(nanos, () -> start(server));
    }
}
