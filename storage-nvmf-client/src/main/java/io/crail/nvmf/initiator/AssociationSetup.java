// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.initiator.queue.CommandQueue;
import io.crail.nvmf.initiator.queue.QueueSettings;
import io.crail.nvmf.wire.command.ConnectCommand;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.command.PropertyCommand;
import io.crail.nvmf.wire.command.QueueCounts;
import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.property.Capabilities;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.ControllerStatus;
import io.crail.nvmf.wire.property.Property;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sets a controller up, step by step, in the calling thread (NVMe Base 2.0, section 3.5.2): admin
 * queue, enable and wait until it is ready, identify, number of queues, I/O queues.
 */
final class AssociationSetup {
    private static final long READY_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Association association;
    private final InitiatorConfig config;
    private final NvmeAddress address;
    private final Kind kind;
    private @Nullable Path localSocket;

    /** What it is for. */
    enum Kind {
        /** A discovery controller, which has no I/O queues. */
        DISCOVERY,
        /** I/O queues by the controller's Unix socket, if it has one on this machine. */
        ANY_WAY,
        /** I/O queues by its address only. */
        BY_ADDRESS
    }

    /** A set-up of a fresh association. */
    AssociationSetup(Association association, NvmeAddress address, Kind kind) {
        this.association = association;
        this.config = association.config();
        this.address = address;
        this.kind = kind;
    }

    /** Whether I/O queues were to use a Unix socket, so that by address may do better. */
    boolean wasLocal() {
        return localSocket != null;
    }

    /**
     * Does it all.
     *
     * @throws NvmeException if it failed; the caller ends the association
     */
    void run() throws NvmeException, InterruptedIOException {
        // Resolved anew each time: the target may have moved.
        InetSocketAddress remote = new InetSocketAddress(address.host(), address.port());
        if (remote.isUnresolved()) {
            throw new NvmeConnectException("the host of " + address + " has no known address");
        }
        CommandQueue admin = open(remote, 0, InitiatorConfig.ADMIN_ENTRIES - 1, 0);
        long keepAlive = kind == Kind.DISCOVERY ? 0 : config.keepAlive().toMillis();
        int controllerId =
                connect(
                        admin,
                        0,
                        InitiatorConfig.ADMIN_ENTRIES,
                        ConnectData.ANY_CONTROLLER,
                        (int) Math.min(keepAlive, Integer.MAX_VALUE));
        long capabilities = property(Property.CAP);
        if (!Capabilities.hasNvmCommandSet(capabilities)) {
            throw new NvmeUnsupportedException(address + " has no NVM Command Set");
        }
        enable(capabilities);
        int version = (int) property(Property.VS);
        ControllerInfo info = identify(controllerId, version, capabilities);
        association.setInfo(info);
        if (kind != Kind.DISCOVERY) {
            if (kind == Kind.ANY_WAY && wantsLocalSocket()) {
                localSocket = LocalSocket.find(info.localSocket(), remote);
            }
            connectIoQueues(remote, info, Capabilities.maxQueueEntries(capabilities));
        }
    }

    /** Who asks for digests wants to see what goes over the network. */
    private boolean wantsLocalSocket() {
        return config.sharedMemory() && !config.headerDigest() && !config.dataDigest();
    }

    private CommandQueue open(InetSocketAddress remote, int id, int places, int inCapsuleBytes)
            throws NvmeException, InterruptedIOException {
        QueueSettings settings =
                new QueueSettings(
                        address + (id == 0 ? " admin queue" : " queue " + id),
                        places,
                        config.waiting(),
                        inCapsuleBytes,
                        config.headerDigest(),
                        config.dataDigest(),
                        id != 0 && config.sharedMemory() && association.info().sharesMemory(),
                        id != 0 && association.info().takesRiders(),
                        id == 0 ? null : localSocket,
                        config.connectTimeout().toNanos(),
                        // A keep-alive that is not answered within the timeout is a loss.
                        (id == 0
                                                && !config.keepAlive().isZero()
                                                && config.keepAlive()
                                                                .compareTo(config.commandTimeout())
                                                        < 0
                                        ? config.keepAlive()
                                        : config.commandTimeout())
                                .toNanos(),
                        config.abortTimeout().toNanos(),
                        config.sockets(),
                        config.onDamage());
        CommandQueue queue =
                association.factory().newQueue(association.engine(), settings, id, association);
        if (id == 0) {
            association.setAdmin(queue);
        } else {
            association.addIoQueue(queue);
        }
        NvmeFuture<Long> opened = new NvmeFuture<>(association.engine());
        CompletableFuture<?> unused =
                queue.open(remote)
                        .whenComplete(
                                (nothing, failure) -> {
                                    if (failure == null) {
                                        opened.complete(0L);
                                    } else {
                                        opened.completeExceptionally(failure);
                                    }
                                });
        association.waitFor(opened);
        return queue;
    }

    /** The fabrics command Connect; returns CNTLID. */
    private int connect(
            CommandQueue queue, int id, int entries, int controllerId, int keepAliveMillis)
            throws NvmeException, InterruptedIOException {
        ByteBuffer data = ByteBuffer.allocateDirect(ConnectData.SIZE);
        ConnectData.encode(
                data, 0, config.hostId(), controllerId, address.subsystem(), config.hostName());
        // No more commands are posted than the queue has entries, so nobody has to be told how far
        // it was read; and a Read that succeeded needs no answer beside its data then.
        int attributes = id == 0 ? 0 : ConnectCommand.ATTRIBUTE_NO_FLOW_CONTROL;
        NvmeFuture<Long> connected = new NvmeFuture<>(association.engine());
        queue.post(
                new PlainCommand(
                        "Connect to " + queue.name() + " as " + config.hostName(),
                        StatusCode.Scope.FABRICS,
                        DataDirection.HOST_TO_CONTROLLER,
                        data,
                        (buffer, at, commandId) ->
                                ConnectCommand.encode(
                                        buffer,
                                        at,
                                        commandId,
                                        id,
                                        entries,
                                        attributes,
                                        keepAliveMillis),
                        connected));
        long result = association.waitFor(connected);
        if (ConnectCommand.authenticationRequired(result) != 0) {
            throw new NvmeUnsupportedException(
                    address + " wants hosts to authenticate, which this initiator cannot");
        }
        return ConnectCommand.controllerId(result);
    }

    private long property(Property property) throws NvmeException, InterruptedIOException {
        return association.adminNow(
                "Property Get " + property,
                DataDirection.NONE,
                null,
                (buffer, at, id) ->
                        PropertyCommand.encodeGet(
                                buffer, at, id, property.offset(), property.size()));
    }

    private void configure(int configuration) throws NvmeException, InterruptedIOException {
        association.adminNow(
                "Property Set CC",
                DataDirection.NONE,
                null,
                (buffer, at, id) ->
                        PropertyCommand.encodeSet(
                                buffer,
                                at,
                                id,
                                Property.CC.offset(),
                                Property.CC.size(),
                                configuration));
    }

    /** Sets CC.EN and waits for CSTS.RDY, as long as CAP.TO says. */
    private void enable(long capabilities) throws NvmeException, InterruptedIOException {
        configure(ControllerConfiguration.enabled());
        long limit =
                Math.max(
                        TimeUnit.MILLISECONDS.toNanos(Capabilities.timeoutMillis(capabilities)),
                        config.connectTimeout().toNanos());
        long start = association.engine().nanoTime();
        int status = (int) property(Property.CSTS);
        while (!ControllerStatus.isReady(status)) {
            if (ControllerStatus.isFatal(status)) {
                throw new NvmeConnectException(address + " reports a fatal error (CSTS.CFS)");
            }
            if (association.engine().nanoTime() - start >= limit) {
                throw new NvmeConnectException(
                        address
                                + " is not ready after "
                                + TimeUnit.NANOSECONDS.toMillis(limit)
                                + " ms");
            }
            association.pause(READY_POLL_NANOS);
            status = (int) property(Property.CSTS);
        }
    }

    private ControllerInfo identify(int controllerId, int version, long capabilities)
            throws NvmeException, InterruptedIOException {
        ByteBuffer data = ByteBuffer.allocateDirect(IdentifyCommand.DATA_SIZE);
        association.adminNow(
                "Identify Controller",
                DataDirection.CONTROLLER_TO_HOST,
                data,
                (buffer, at, id) ->
                        IdentifyCommand.encode(buffer, at, id, 0, IdentifyCommand.CONTROLLER));
        return ControllerInfo.of(
                data,
                controllerId,
                version,
                Capabilities.minPageSize(capabilities),
                Math.min(config.maxTransferBytes(), association.factory().maxTransferBytes()),
                kind == Kind.DISCOVERY
                        ? Duration.ZERO
                        : KeepAliveTimeout.of(
                                association, ControllerData.keepAliveGranularity(data, 0)));
    }

    private void connectIoQueues(InetSocketAddress remote, ControllerInfo info, int maxQueueEntries)
            throws NvmeException, InterruptedIOException {
        int wanted = QueueCounts.of(config.queues(), config.queues());
        int granted =
                (int)
                        association.adminNow(
                                "Set Features Number of Queues",
                                DataDirection.NONE,
                                null,
                                (buffer, at, id) ->
                                        FeaturesCommand.encodeSet(
                                                buffer,
                                                at,
                                                id,
                                                0,
                                                FeatureId.NUMBER_OF_QUEUES,
                                                wanted));
        int queues =
                Math.min(
                        config.queues(),
                        Math.min(
                                QueueCounts.submissionQueues(granted),
                                QueueCounts.completionQueues(granted)));
        int entries = Math.min(config.depth(), maxQueueEntries);
        // A full queue has one entry less, or it would look like an empty one.
        int places = Math.max(1, Math.min(entries - 1, info.maxCommands()));
        for (int id = 1; id <= queues; id++) {
            CommandQueue queue = open(remote, id, places, info.inCapsuleBytes());
            connect(queue, id, entries, info.id(), 0);
        }
    }
}
