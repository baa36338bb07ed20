// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ServerLostException;
import io.crail.error.VersionMismatchException;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.layout.FlashEndpoint;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.SessionHost;
import io.crail.nvmf.layout.Superblock;
import io.crail.nvmf.layout.Superblock.UnusableException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Connects a session to the namespace of a storage server: queues, namespace, superblock. Blocks,
 * so it has a thread of its own to run in.
 *
 * <p>The initiator does not bring a lost controller back here: whether the server lives, and where,
 * the namenode knows, and the client asks it before each new attempt.
 */
final class FlashDialer {
    private static final int WAITING = 16 << 10;
    private static final Duration COMMAND = Duration.ofSeconds(30);
    private static final Duration ABORT = Duration.ofSeconds(10);
    private static final Duration OPERATION = Duration.ofSeconds(60);
    private static final Duration DELAY = Duration.ofMillis(1);

    private final DataPeer peer;
    private final IoContext io;
    private final RecordCache records;

    FlashDialer(DataPeer peer, IoContext io, RecordCache records) {
        this.peer = peer;
        this.io = io;
        this.records = records;
    }

    /**
     * Makes a connection.
     *
     * @param lost told when it is of no use any more
     */
    FlashLink dial(NvmeInitiator initiator, Consumer<FlashLink> lost) throws CrailException {
        FlashEndpoint endpoint = endpoint();
        NvmeAddress address =
                new NvmeAddress(endpoint.address(), peer.port(), endpoint.subsystem());
        try {
            NvmeController controller = initiator.connect(address, config());
            boolean done = false;
            UnitPool units = null;
            try {
                units = UnitPool.of(io.buffers());
                NvmeNamespace namespace = controller.namespace(endpoint.namespace());
                FlashLink link =
                        new FlashLink(
                                peer + " of class " + peer.storageClass(),
                                endpoint.guarded(),
                                controller,
                                namespace,
                                superblock(namespace),
                                units,
                                records,
                                lost);
                done = true;
                return link;
            } finally {
                if (!done) {
                    controller.close();
                    if (units != null) {
                        units.close();
                    }
                }
            }
        } catch (NvmeException e) {
            throw Failures.of(peer.toString(), e);
        } catch (InterruptedIOException e) {
            throw new ServerLostException(peer + ": connecting was interrupted", e);
        }
    }

    private FlashEndpoint endpoint() throws InvalidArgumentException {
        try {
            return FlashEndpoint.parse(peer.host());
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(peer + ": " + e.getMessage(), e);
        }
    }

    private InitiatorConfig config() throws InvalidArgumentException {
        PathOptions options = PathOptions.of(io.transportOptions());
        SessionHost host = new SessionHost(peer.session(), peer.ticket());
        return InitiatorConfig.of(host.id())
                .withHostName(host.name())
                .withQueues(peer.connections(), options.queueEntries(), WAITING)
                .withDigests(options.headerDigests(), options.dataDigests())
                .withDamageListener(io::countDamage)
                .withConnectTimeouts(
                        Duration.ofNanos(io.connectTimeoutNanos()), Duration.ZERO, DELAY)
                .withCommandTimeouts(COMMAND, ABORT, OPERATION);
    }

    private Superblock superblock(NvmeNamespace namespace)
            throws CrailException, NvmeException, InterruptedIOException {
        ByteBuffer unit = ByteBuffer.allocateDirect(FlashLayout.UNIT);
        namespace.read(0, unit).await();
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
        long bytes = namespace.blockCount() * namespace.blockSize();
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
