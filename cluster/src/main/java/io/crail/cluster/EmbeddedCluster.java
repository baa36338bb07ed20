// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.mover.Mover;
import io.crail.mover.MoverConfig;
import io.crail.namenode.NamenodeConfig;
import io.crail.namenode.NamenodeServer;
import io.crail.storage.StorageConfig;
import io.crail.storage.StorageServer;
import io.crail.storage.registration.NamenodeAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A namenode and storage servers in this JVM, on loopback and ephemeral ports, with the code and
 * the protocol of the processes. For tests and notebooks; several may live at a time.
 *
 * <pre>{@code
 * try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(2).start();
 *         CrailClient client = cluster.connect()) {
 *     client.mkdir("/data");
 * }
 * }</pre>
 *
 * <p>Thread-safe. {@link #close} ends the servers and removes all their files.
 */
public final class EmbeddedCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCluster.class);
    private static final Duration REGISTRATION = Duration.ofSeconds(30);

    /** Of movers: all of it is copied within this JVM. */
    private static final long NO_LIMIT = 0;

    private final EmbeddedClusterConfig config;
    private final Path metadata;
    private final Path data;
    private final List<StorageServer> storageServers = new CopyOnWriteArrayList<>();
    private final List<Mover> movers = new ArrayList<>();

    /** What each storage server is set to besides what all are. */
    private final List<Consumer<StorageConfig.Builder>> settings = new ArrayList<>();

    private final List<CrailClient> clients = new ArrayList<>();
    private NamenodeServer namenode;
    private final InetSocketAddress address;
    private boolean closed;

    private EmbeddedCluster(
            EmbeddedClusterConfig config, Path metadata, Path data, NamenodeServer namenode) {
        this.config = config;
        this.metadata = metadata;
        this.data = data;
        this.namenode = namenode;
        this.address = namenode.address();
    }

    /** Settings, all with defaults: one storage server of 64 MiB. */
    public static EmbeddedClusterConfig.Builder builder() {
        return new EmbeddedClusterConfig.Builder();
    }

    /** Starts a cluster; returns when all its capacity is on offer. */
    static EmbeddedCluster start(EmbeddedClusterConfig config) throws CrailException {
        TemporaryDirectories directories = TemporaryDirectories.make();
        try {
            NamenodeServer namenode = startNamenode(config, directories.metadata(), 0);
            EmbeddedCluster cluster =
                    new EmbeddedCluster(
                            config, directories.metadata(), directories.data(), namenode);
            try {
                for (int i = 0; i < config.servers(); i++) {
                    cluster.addServer();
                }
                return cluster;
            } catch (CrailException | RuntimeException e) {
                cluster.close();
                throw e;
            }
        } catch (CrailException | RuntimeException e) {
            directories.remove();
            throw e;
        }
    }

    private static NamenodeServer startNamenode(
            EmbeddedClusterConfig config, Path metadata, int port) throws CrailException {
        NamenodeConfig.Builder builder =
                NamenodeConfig.builder(metadata)
                        .bind("127.0.0.1", port)
                        .authentication(config.authentication());
        config.namenode().accept(builder);
        try {
            return NamenodeServer.start(builder.build());
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new InternalException("embedded namenode cannot start: " + e, e);
        }
    }

    /** Starts one more storage server; returns its position, when all of it is on offer. */
    public synchronized int addServer() throws CrailException {
        return addServer(builder -> {});
    }

    /**
     * As {@link #addServer()}, with settings of its own, which hold for its restarts, too.
     *
     * @param setting applied last
     */
    public synchronized int addServer(Consumer<StorageConfig.Builder> setting)
            throws CrailException {
        int index = storageServers.size();
        settings.add(setting);
        try {
            storageServers.add(startStorage(index, 0));
        } finally {
            if (storageServers.size() == index) {
                settings.remove(index);
            }
        }
        if (config.movers()) {
            int id = storageServers.get(index).awaitRegistered(REGISTRATION);
            movers.add(Mover.start(mover(index, id)));
        }
        return index;
    }

    /** Idle, and without a connection, as long as all storage is of one class. */
    private MoverConfig mover(int index, int server) {
        ClientConfig client =
                clientConfig()
                        .clientName("crail-mover-" + server)
                        .bufferPoolBytes(MoverConfig.BUFFER_BYTES)
                        .busyPoll(false)
                        .build();
        return new MoverConfig(client, server, () -> hasTiers(index), NO_LIMIT, MoverConfig.BLOCKS);
    }

    /** Not synchronized: whoever closes the cluster holds its lock and waits for the movers. */
    private boolean hasTiers(int index) {
        return storageServers.get(index).hasTiers();
    }

    private ClientConfig.Builder clientConfig() {
        return ClientConfig.builder()
                .namenodes(List.of(namenode()))
                .authentication(config.authentication());
    }

    private StorageServer startStorage(int index, int port) throws CrailException {
        StorageConfig.Builder builder =
                StorageConfig.builder(
                                new NamenodeAddress(
                                        address.getAddress().getHostAddress(), address.getPort()))
                        .bind("127.0.0.1", port)
                        .hostName("embedded-" + index)
                        .authentication(config.authentication())
                        .capacity(config.capacity())
                        .segmentSize(Math.min(config.segmentSize(), config.capacity()))
                        .directory(data.resolve("storage-" + index));
        config.storage().accept(builder);
        settings.get(index).accept(builder);
        StorageServer server = StorageServer.start(builder.build());
        try {
            server.awaitFilled(REGISTRATION);
            return server;
        } catch (CrailException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** {@code host:port} of the namenode; stays the same when it is restarted. */
    public String namenode() {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** A new client, to be closed by the caller. */
    public CrailClient connect() throws CrailException {
        return CrailClient.connect(clientConfig().build());
    }

    /** A new client that is closed with the cluster, at the latest. */
    public synchronized CrailClient client() throws CrailException {
        CrailClient client = connect();
        clients.add(client);
        return client;
    }

    /** The storage server at a position. */
    public synchronized StorageServer storage(int index) {
        return storageServers.get(index);
    }

    /** The namenode, for tests that damage it. */
    synchronized NamenodeServer namenodeServer() {
        return namenode;
    }

    /** Ends the namenode and starts it again from what it has written, on the same port. */
    public synchronized void restartNamenode() throws CrailException {
        try {
            namenode.close();
        } catch (IOException e) {
            throw new InternalException("embedded namenode did not end in order: " + e, e);
        }
        namenode = startNamenode(config, metadata, address.getPort());
    }

    /** Ends a storage server in order; its segments stay for {@link #restartStorage}. */
    public synchronized void stopStorage(int index) {
        storageServers.get(index).close();
    }

    /** Ends a storage server and starts it again, with the segments and the port that it had. */
    public synchronized void restartStorage(int index) throws CrailException {
        int port = storageServers.get(index).endpoints().get(0).port();
        stopStorage(index);
        storageServers.set(index, startStorage(index, port));
    }

    /** Closes its clients, ends all servers and removes their files. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        movers.forEach(Mover::close);
        clients.forEach(CrailClient::close);
        storageServers.forEach(StorageServer::close);
        try {
            namenode.close();
        } catch (IOException e) {
            LOG.warn("The embedded namenode did not end in order: {}", e.toString());
        }
        new TemporaryDirectories(metadata, data).remove();
    }
}
