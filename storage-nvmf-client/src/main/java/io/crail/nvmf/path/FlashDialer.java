// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ServerLostException;
import io.crail.error.VersionMismatchException;
import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.FabricConnection;
import io.crail.nvmf.fabric.FabricHost;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.PendingCall;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.FlashEndpoint;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.SessionHost;
import io.crail.nvmf.layout.Superblock;
import io.crail.nvmf.layout.Superblock.UnusableException;
import io.crail.nvmf.wire.command.IoOpcode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connects a session to the namespace of a storage server: queues, namespace, superblock. Blocks,
 * so it has a thread of its own to run in.
 *
 * <p>A lost connection is not brought back here: whether the server lives, and where, the namenode
 * knows, and the client asks it before each new attempt.
 */
final class FlashDialer {
    private static final int WAITING = 16 << 10;
    private static final Duration COMMAND = Duration.ofSeconds(30);
    private static final Duration ABORT = Duration.ofSeconds(10);
    private static final Duration OPERATION = Duration.ofSeconds(60);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private final DataPeer peer;
    private final IoContext io;
    private final RecordCache records;

    /** What the last connection left to be fenced. */
    private volatile ExternalAccess.@Nullable Leftover leftover;

    FlashDialer(DataPeer peer, IoContext io, RecordCache records) {
        this.peer = peer;
        this.io = io;
        this.records = records;
    }

    /** A connection was lost. One that left nothing does not undo what the one before left. */
    void left(ExternalAccess.@Nullable Leftover what) {
        if (what != null) {
            leftover = what;
        }
    }

    /**
     * Makes a connection.
     *
     * @param fabric of the endpoint's scheme
     * @param lost told when it is of no use any more
     */
    FlashLink dial(Fabric fabric, FlashEndpoint endpoint, Consumer<FlashLink> lost)
            throws CrailException {
        NvmeAddress address =
                new NvmeAddress(endpoint.address(), peer.port(), endpoint.subsystem());
        try {
            FabricConnection connection = fabric.connect(address, host(endpoint));
            boolean done = false;
            UnitPool units = null;
            try {
                units = UnitPool.of(io.buffers());
                FabricNamespace namespace = connection.namespace(endpoint.namespace());
                FlashLink link =
                        new FlashLink(
                                peer + " of class " + peer.storageClass(),
                                endpoint,
                                connection,
                                namespace,
                                superblock(endpoint, namespace),
                                units,
                                records,
                                lost);
                if (!endpoint.guarded()) {
                    checkKeepAlive(endpoint, connection.keepAlive());
                    link.watched(external(endpoint, connection, namespace, link));
                    leftover = null;
                }
                done = true;
                return link;
            } finally {
                if (!done) {
                    connection.close();
                    if (units != null) {
                        units.close();
                    }
                }
            }
        } catch (NvmeException e) {
            throw Failures.of(peer.toString(), e);
        } catch (InterruptedIOException e) {
            throw new ServerLostException(peer + ": connecting was interrupted", e);
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new ServerLostException(peer + ": " + e.getMessage(), e);
        }
    }

    /** The server's bounds follow from the same timeout. */
    private void checkKeepAlive(FlashEndpoint endpoint, Duration kept) throws CrailException {
        if (kept.compareTo(timing(endpoint).keepAlive()) > 0) {
            throw new InternalException(
                    peer
                            + ": the target keeps silent hosts for "
                            + kept.toMillis()
                            + " ms, not for the "
                            + endpoint.keepAliveMillis()
                            + " ms of the namespace. Restart the storage server");
        }
    }

    private ExternalAccess external(
            FlashEndpoint endpoint,
            FabricConnection connection,
            FabricNamespace namespace,
            FlashLink link)
            throws IOException {
        return ExternalAccess.open(
                peer.toString(),
                namespace,
                connection.keepAlive(),
                link,
                timing(endpoint),
                io::nanoTime,
                leftover);
    }

    private static ExternalTiming timing(FlashEndpoint endpoint) {
        return new ExternalTiming(Duration.ofMillis(endpoint.keepAliveMillis()));
    }

    /** Where the namespace is. */
    FlashEndpoint endpoint() throws InvalidArgumentException {
        try {
            return FlashEndpoint.parse(peer.host());
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(peer + ": " + e.getMessage(), e);
        }
    }

    private FabricHost host(FlashEndpoint endpoint) throws InvalidArgumentException {
        PathOptions options = PathOptions.of(io.transportOptions());
        FabricHost.Digests digests =
                new FabricHost.Digests(
                        options.headerDigests(), options.dataDigests(), io::countDamage);
        SessionHost host = new SessionHost(peer.session(), peer.ticket());
        Duration connect = Duration.ofNanos(io.connectTimeoutNanos());
        if (endpoint.guarded()) {
            return new FabricHost(
                    host.name(),
                    host.id(),
                    digests,
                    options.sharedMemory(),
                    peer.connections(),
                    options.queueEntries(),
                    WAITING,
                    KEEP_ALIVE,
                    connect,
                    COMMAND,
                    ABORT,
                    OPERATION);
        }
        // The target is somebody else's: it must not learn the ticket, and each connection is a
        // host of its own.
        ExternalTiming timing = timing(endpoint);
        return new FabricHost(
                host.name(),
                new UUID(peer.session(), ThreadLocalRandom.current().nextLong()),
                digests,
                false,
                peer.connections(),
                options.queueEntries(),
                WAITING,
                timing.keepAlive(),
                connect,
                timing.command(),
                timing.abort(),
                timing.command());
    }

    private Superblock superblock(FlashEndpoint endpoint, FabricNamespace namespace)
            throws CrailException, NvmeException, InterruptedIOException {
        ByteBuffer unit = ByteBuffer.allocateDirect(FlashLayout.UNIT);
        PendingCall read = new PendingCall();
        namespace.command(IoOpcode.READ, 0, unit, (entry, at) -> {}, read).start();
        read.await(OPERATION);
        Superblock found;
        try {
            found = Superblock.decode(unit);
        } catch (UnusableException e) {
            throw e.reason() == UnusableException.Reason.VERSION
                    ? new VersionMismatchException(peer + ": " + e.getMessage(), e)
                    : new InternalException(peer + " serves no blocks: " + e.getMessage(), e);
        }
        if (!found.cluster().equals(peer.cluster())) {
            throw new VersionMismatchException(
                    peer
                            + " holds data of cluster "
                            + found.cluster()
                            + ", not of "
                            + peer.cluster());
        }
        if (found.keepAliveMillis() != endpoint.keepAliveMillis()) {
            throw new VersionMismatchException(
                    peer
                            + " was formatted for a keep-alive timeout of "
                            + found.keepAliveMillis()
                            + " ms, not of "
                            + endpoint.keepAliveMillis());
        }
        long bytes = namespace.info().blocks() * namespace.info().blockSize();
        if (found.layout().bytes() > bytes) {
            throw new InternalException(
                    peer
                            + ": the namespace has "
                            + bytes
                            + " bytes, its superblock speaks of "
                            + found.layout().bytes());
        }
        return found;
    }
}
