// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.BusyException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ServerLostException;
import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.FabricConnection;
import io.crail.nvmf.fabric.FabricHost;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.PendingCall;
import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.target.backing.Medium;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namespace of an external target as the storage server reads and writes it. A connection that
 * was lost is made anew by the next call, once per call; every call is bounded.
 *
 * <p><b>What a lost connection left behind.</b> A write that was not answered may still be
 * executed, after one that this server sends later to the same unit. So each connection is a host
 * of its own, and before another one is of use the one before it is fenced: by preempting its
 * registration, where there are reservations, else by waiting until the target has given it up.
 *
 * <p><b>Threads.</b> All methods may be called by any thread. The lock is held while a connection
 * is made, which is bounded, and for no command.
 */
final class RemoteMedium implements Medium {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteMedium.class);
    private static final String HOST_PREFIX = "nqn.2026-11.io.crail:storage:";
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration COMMAND = Duration.ofSeconds(30);
    private static final Duration ABORT = Duration.ofSeconds(10);
    private static final Duration OPERATION = Duration.ofSeconds(45);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int QUEUES = 1;
    private static final int ENTRIES = 32;
    private static final int WAITING = 1024;

    private final Fabric fabric;
    private final TargetAddress target;
    private final UUID server;
    private final RandomGenerator random;
    private final LongSupplier clock;
    private final Ownership ownership;

    /** Guarded by this, as are all that follow. */
    private @Nullable Link link;

    private boolean closed;
    private long bytes;
    private int connections;

    /** Fixed by the first connection. */
    private ExternalTiming timing;

    private boolean agreed;

    /** When what the last connection left behind is over, if only time tells. */
    private long overAt;

    /** A connection and its namespace. */
    private record Link(int number, FabricConnection connection, FabricNamespace namespace) {}

    /** What a call does with a namespace. */
    @FunctionalInterface
    private interface Call {
        void begin(FabricNamespace namespace, PendingCall ended);
    }

    RemoteMedium(
            Fabric fabric,
            TargetAddress target,
            UUID server,
            ExternalTiming timing,
            RandomGenerator random,
            LongSupplier clock,
            Ownership ownership) {
        this.fabric = fabric;
        this.target = target;
        this.server = server;
        this.timing = timing;
        this.random = random;
        this.clock = clock;
        this.ownership = ownership;
        this.overAt = clock.getAsLong();
    }

    /** Connects, if there is no connection. */
    synchronized FabricNamespace connected() throws IOException {
        Link current = link;
        if (current != null) {
            return current.namespace;
        }
        if (closed) {
            throw new ServerLostException(name() + " was closed");
        }
        checkOver();
        Duration keepAlive = timing.keepAlive();
        FabricConnection connection = dial();
        boolean done = false;
        try {
            FabricNamespace namespace = connection.namespace(target.namespace());
            checkUsable(connection, namespace);
            agree(connection.keepAlive());
            ownership.restore(namespace, () -> connect(keepAlive));
            checkOver(); // If it has turned out that nobody can be fenced.
            checkFences(connection);
            bytes = namespace.info().blocks() * namespace.info().blockSize();
            connections++;
            link = new Link(connections, connection, namespace);
            done = true;
            LOG.info("Connected to {}", name());
            return namespace;
        } catch (NvmeException e) {
            throw StartFailures.ofTarget(name(), e);
        } finally {
            if (!done) {
                connection.close();
            }
        }
    }

    /** Whether nothing is under way any more of the connection before, as far as time tells. */
    private void checkOver() throws BusyException {
        long wait = overAt - clock.getAsLong();
        if (!ownership.isReserved() && wait > 0) {
            throw new BusyException(
                    name()
                            + " was lost; waiting another "
                            + Duration.ofNanos(wait).toMillis()
                            + " ms until it has given up what was under way");
        }
    }

    private FabricConnection dial() throws IOException {
        try {
            return connect(timing.keepAlive());
        } catch (NvmeException e) {
            throw StartFailures.ofTarget(name(), e);
        }
    }

    private FabricConnection connect(Duration keepAlive)
            throws NvmeException, InterruptedIOException {
        // A new host for each connection: what an old one left behind can be told apart.
        UUID id = new UUID(server.getMostSignificantBits(), random.nextLong());
        FabricHost host =
                new FabricHost(
                        HOST_PREFIX + id,
                        id,
                        FabricHost.Digests.NONE,
                        false,
                        QUEUES,
                        ENTRIES,
                        WAITING,
                        keepAlive,
                        CONNECT,
                        COMMAND,
                        ABORT,
                        OPERATION);
        return fabric.connect(target.address(), host);
    }

    private void checkUsable(FabricConnection connection, FabricNamespace namespace)
            throws InvalidArgumentException {
        if (namespace.info().writeProtected()) {
            throw new InvalidArgumentException(name() + " is write-protected");
        }
        if (connection.maxTransferBytes() < FlashLayout.UNIT) {
            throw new InvalidArgumentException(
                    name()
                            + " takes no more than "
                            + connection.maxTransferBytes()
                            + " bytes at once; "
                            + FlashLayout.UNIT
                            + " are needed");
        }
    }

    private void checkFences(FabricConnection connection) throws InvalidArgumentException {
        if (connection.keepAlive().isZero() && !ownership.isReserved()) {
            throw new InvalidArgumentException(
                    name()
                            + " has neither reservations that fence nor a keep-alive timer, so"
                            + " nothing tells when a client has gone; use another target");
        }
    }

    /**
     * Targets round the timeout up to what they can tell apart. All bounds follow from what the
     * target keeps, not from what it was asked for.
     */
    private void agree(Duration keepAlive) throws InvalidArgumentException {
        if (keepAlive.compareTo(timing.keepAlive()) > 0) {
            String kept = name() + " keeps silent hosts for " + keepAlive.toMillis() + " ms";
            if (agreed) {
                throw new InvalidArgumentException(
                        kept + ", longer than when this server was started; restart it");
            }
            try {
                timing = new ExternalTiming(keepAlive);
            } catch (IllegalArgumentException e) {
                throw new InvalidArgumentException(kept + "; use another target", e);
            }
            LOG.info("{}: bounds follow from that", kept);
        }
        agreed = true;
    }

    /** The bounds that were agreed on; connected. */
    synchronized ExternalTiming timing() {
        return timing;
    }

    private synchronized Link current() throws IOException {
        connected();
        Link current = link;
        if (current == null) {
            throw new ServerLostException(name() + " was lost");
        }
        return current;
    }

    /** Ends a connection that is of no use, so that no buffer is touched any more. */
    private void lost(Link which, NvmeException cause) {
        synchronized (this) {
            Link current = link;
            if (current == null || current.connection != which.connection) {
                return;
            }
            link = null;
            overAt = clock.getAsLong() + timing.association().toNanos();
        }
        LOG.warn("Lost {}: {}", name(), cause.getMessage());
        which.connection.close();
    }

    private void run(Call call) throws IOException {
        run(current(), call);
    }

    private void run(Link current, Call call) throws IOException {
        PendingCall ended = new PendingCall();
        try {
            call.begin(current.namespace, ended);
            ended.await(PATIENCE);
        } catch (NvmeStatusException e) {
            if (e.code() == StatusCode.RESERVATION_CONFLICT) {
                lost(current, e);
            }
            throw e;
        } catch (NvmeException e) {
            lost(current, e);
            throw e;
        } catch (InterruptedIOException e) {
            current.connection.close(); // Gives the buffer back.
            throw e;
        }
    }

    /** Number of the connection that there is; connects if there is none. */
    int connection() throws IOException {
        return current().number;
    }

    /** Whether there is a connection, and {@link #deallocate} can be had over it. */
    synchronized boolean canDeallocate() {
        Link current = link;
        return current != null && current.namespace.canDeallocate();
    }

    /**
     * Deallocates, and waits for the end of that.
     *
     * @param connection number of the only connection over which this may be sent
     * @return false if there is another one, or none, or it cannot: nothing was sent
     * @throws NvmeStatusException if the target has answered with an error: it does nothing any
     *     more
     * @throws IOException if the outcome is unknown; the connection has ended
     */
    boolean deallocate(int connection, List<DataRange> ranges) throws IOException {
        Link current;
        synchronized (this) {
            current = link;
        }
        if (current == null || current.number != connection || !current.namespace.canDeallocate()) {
            return false;
        }
        int block = current.namespace.info().blockSize();
        List<BlockRange> blocks =
                ranges.stream()
                        .map(each -> new BlockRange(each.position() / block, each.bytes() / block))
                        .toList();
        run(current, (namespace, ended) -> namespace.deallocate(blocks, ended));
        return true;
    }

    /** Of the namespace as it was found last. */
    @Override
    public synchronized long bytes() {
        return bytes;
    }

    @Override
    public int alignment() {
        return FlashLayout.UNIT;
    }

    @Override
    public String name() {
        return target.toString();
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
        move(IoOpcode.READ, position, into);
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
        move(IoOpcode.WRITE, position, from);
    }

    private void move(int opcode, long position, ByteBuffer data) throws IOException {
        int length = data.remaining();
        for (int done = 0; done < length; ) {
            int most = current().connection.maxTransferBytes() & -FlashLayout.UNIT;
            int step = Math.min(length - done, most);
            ByteBuffer part = data.slice(data.position() + done, step);
            long at = position + done;
            run(
                    (namespace, ended) ->
                            namespace
                                    .command(
                                            opcode,
                                            at / namespace.info().blockSize(),
                                            part,
                                            (entry, from) -> {},
                                            ended)
                                    .start());
            done += step;
        }
        data.position(data.limit());
    }

    @Override
    public void flush() throws IOException {
        run(FabricNamespace::flush);
    }

    @Override
    public void close() {
        Link last;
        synchronized (this) {
            closed = true;
            last = link;
            link = null;
        }
        if (last != null) {
            last.connection.close();
        }
    }
}
