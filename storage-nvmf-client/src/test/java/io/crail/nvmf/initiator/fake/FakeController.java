// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.fake;

import io.crail.nvmf.wire.command.AbortCommand;
import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.ConnectCommand;
import io.crail.nvmf.wire.command.DatasetCommand;
import io.crail.nvmf.wire.command.FabricsCommand;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.command.PropertyCommand;
import io.crail.nvmf.wire.command.QueueCounts;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.identify.NamespaceData;
import io.crail.nvmf.wire.identify.NamespaceDescriptor;
import io.crail.nvmf.wire.identify.NamespaceList;
import io.crail.nvmf.wire.log.DiscoveryEntry;
import io.crail.nvmf.wire.log.DiscoveryHeader;
import io.crail.nvmf.wire.property.Capabilities;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.ControllerStatus;
import io.crail.nvmf.wire.property.Property;
import io.crail.nvmf.wire.property.Version;
import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.reservation.ReservationReport;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/** What the fake target does with commands when it behaves: one queue of a controller. */
final class FakeController {
    static final UUID NAMESPACE_UUID = UUID.fromString("aaaaaaaa-0000-4000-8000-000000000001");
    private static final int DISCOVERY_ENTRIES = 6;

    private final FakeTarget target;
    private final FakeConnection connection;
    private int configuration;
    private int polls;
    private int shutdownPolls;

    FakeController(FakeTarget target, FakeConnection connection) {
        this.target = target;
        this.connection = connection;
    }

    void execute(FakeCommand command) throws IOException {
        if (command.opcode() == AdminOpcode.FABRICS) {
            fabrics(command);
        } else if (command.queueId() == 0) {
            admin(command);
        } else {
            io(command);
        }
    }

    private void fabrics(FakeCommand command) throws IOException {
        ByteBuffer entry = command.entry();
        switch (FabricsCommand.type(entry, 0)) {
            case FabricsCommand.CONNECT -> {
                target.connected(command.inCapsule());
                connection.queueId = ConnectCommand.queueId(entry, 0);
                target.log.add(
                        "queue "
                                + connection.queueId
                                + " size "
                                + ConnectCommand.queueSize(entry, 0)
                                + " kato "
                                + ConnectCommand.keepAliveMillis(entry, 0));
                connection.respond(command.id(), 1, target.connectStatus);
            }
            case FabricsCommand.PROPERTY_GET -> {
                Property property = Property.at(PropertyCommand.offset(entry, 0));
                connection.respond(command.id(), property == null ? 0 : read(property), 0);
            }
            case FabricsCommand.PROPERTY_SET -> {
                configuration = (int) PropertyCommand.value(entry, 0);
                if (ControllerConfiguration.shutdown(configuration) != 0) {
                    target.shutdowns.incrementAndGet();
                }
                connection.respond(command.id(), 0, 0);
            }
            default -> refuse(command, StatusCode.INVALID_OPCODE);
        }
    }

    private long read(Property property) {
        return switch (property) {
            case CAP -> Capabilities.of(target.maxQueueEntries, 15);
            case VS -> Version.NVME_2_0;
            case CC -> configuration;
            case CSTS ->
                    ControllerStatus.of(
                            ControllerConfiguration.isEnabled(configuration)
                                    && ++polls > target.notReadyPolls,
                            false,
                            shutdown());
            default -> 0;
        };
    }

    /** Complete at the third look. */
    private int shutdown() {
        if (ControllerConfiguration.shutdown(configuration) == 0) {
            return ControllerStatus.SHUTDOWN_NORMAL;
        }
        return ++shutdownPolls > 2
                ? ControllerStatus.SHUTDOWN_COMPLETE
                : ControllerStatus.SHUTDOWN_OCCURRING;
    }

    private void admin(FakeCommand command) throws IOException {
        ByteBuffer entry = command.entry();
        switch (command.opcode()) {
            case AdminOpcode.IDENTIFY -> connection.sendAll(command, identify(entry));
            case AdminOpcode.SET_FEATURES ->
                    connection.respond(
                            command.id(),
                            FeaturesCommand.feature(entry, 0) == FeatureId.NUMBER_OF_QUEUES
                                    ? QueueCounts.of(target.queuesGranted, target.queuesGranted)
                                    : 0,
                            0);
            case AdminOpcode.GET_FEATURES -> {
                target.log.add("get feature " + FeaturesCommand.feature(entry, 0));
                if (target.keepAliveInForce < 0
                        || FeaturesCommand.feature(entry, 0) != FeatureId.KEEP_ALIVE_TIMER) {
                    refuse(command, StatusCode.INVALID_FIELD);
                } else {
                    connection.respond(command.id(), target.keepAliveInForce, 0);
                }
            }
            case AdminOpcode.KEEP_ALIVE -> {
                target.keepAlives.incrementAndGet();
                connection.respond(command.id(), 0, 0);
            }
            case AdminOpcode.ABORT ->
                    connection.respond(command.id(), AbortCommand.result(false), 0);
            case AdminOpcode.GET_LOG_PAGE -> connection.sendAll(command, discovery(entry));
            default -> refuse(command, StatusCode.INVALID_OPCODE);
        }
    }

    private byte[] identify(ByteBuffer entry) {
        ByteBuffer data = ByteBuffer.allocate(IdentifyCommand.DATA_SIZE);
        switch (IdentifyCommand.structure(entry, 0)) {
            case IdentifyCommand.CONTROLLER -> {
                ControllerData.serialNumber(data, 0, "fake-1");
                ControllerData.model(data, 0, "fake");
                ControllerData.firmware(data, 0, "1");
                ControllerData.maxTransferSize(data, 0, target.maxTransferShift);
                ControllerData.maxCommands(data, 0, target.maxCommands);
                ControllerData.keepAliveGranularity(data, 0, target.keepAliveUnits);
                ControllerData.ioCommands(data, 0, target.ioCommands);
                ControllerData.asyncEvents(data, 0, target.asyncEvents);
                ControllerData.commandCapsuleSize(data, 0, 4 + target.inCapsuleBytes / 16);
                ControllerData.responseCapsuleSize(data, 0, 1);
                ControllerData.sglSupport(data, 0, ControllerData.SGL_TCP);
                ControllerData.sharesMemory(data, 0, target.sharesMemory);
                ControllerData.takesRiders(data, 0, target.takesRiders);
            }
            case IdentifyCommand.NAMESPACE -> {
                NamespaceData.size(data, 0, target.blocks());
                NamespaceData.capacity(data, 0, target.blocks());
                NamespaceData.reservationCapabilities(data, 0, 0x7E);
                NamespaceData.deallocation(data, 0, 1);
                NamespaceData.format(data, 0, 0, target.metadataSize, target.blockShift, 0);
            }
            case IdentifyCommand.ACTIVE_NAMESPACES -> {
                if (SubmissionEntry.namespaceId(entry, 0) == 0) {
                    NamespaceList.id(data, 0, 0, 1);
                }
            }
            default ->
                    NamespaceDescriptor.encode(
                            data, 0, NamespaceDescriptor.TYPE_UUID, NAMESPACE_UUID);
        }
        return data.array();
    }

    private byte[] discovery(ByteBuffer entry) {
        ByteBuffer page = ByteBuffer.allocate(DiscoveryHeader.SIZE * (1 + DISCOVERY_ENTRIES));
        DiscoveryHeader.generation(page, 0, target.discoveryGeneration.get());
        DiscoveryHeader.records(page, 0, DISCOVERY_ENTRIES);
        for (int i = 0; i < DISCOVERY_ENTRIES; i++) {
            int at = (int) DiscoveryHeader.entryOffset(i);
            DiscoveryEntry.transportType(page, at, DiscoveryEntry.TRANSPORT_TCP);
            DiscoveryEntry.subsystemType(page, at, DiscoveryEntry.SUBSYSTEM_NVM);
            DiscoveryEntry.subsystemName(page, at, "nqn.2026-01.io.crail:" + i);
            DiscoveryEntry.address(page, at, "127.0.0.1");
            DiscoveryEntry.serviceId(page, at, "4420");
        }
        int from = (int) LogPageCommand.offset(entry, 0);
        return Arrays.copyOfRange(page.array(), from, from + (int) LogPageCommand.length(entry, 0));
    }

    private void io(FakeCommand command) throws IOException {
        ByteBuffer entry = command.entry();
        int at = (int) BlockCommand.firstBlock(entry, 0) << target.blockShift;
        int length = BlockCommand.blocks(entry, 0) << target.blockShift;
        switch (command.opcode()) {
            case IoOpcode.READ ->
                    connection.sendAll(command, Arrays.copyOfRange(target.medium, at, at + length));
            case IoOpcode.WRITE -> {
                System.arraycopy(receive(command), 0, target.medium, at, length);
                connection.respond(command.id(), 0, 0);
            }
            case IoOpcode.COMPARE -> {
                byte[] expected = receive(command);
                boolean same = Arrays.equals(expected, 0, length, target.medium, at, at + length);
                connection.respond(
                        command.id(), 0, same ? 0 : StatusCode.COMPARE_FAILURE.doNotRetry());
            }
            case IoOpcode.WRITE_ZEROES -> {
                Arrays.fill(target.medium, at, at + length, (byte) 0);
                connection.respond(command.id(), 0, 0);
            }
            case IoOpcode.DATASET_MANAGEMENT -> deallocate(command);
            case IoOpcode.FLUSH -> connection.respond(command.id(), 0, 0);
            case IoOpcode.RESERVATION_REGISTER,
                    IoOpcode.RESERVATION_ACQUIRE,
                    IoOpcode.RESERVATION_RELEASE -> {
                ByteBuffer keys = ByteBuffer.wrap(receive(command));
                target.log.add(
                        Integer.toHexString(command.opcode())
                                + " action "
                                + ReservationCommand.action(entry, 0)
                                + " type "
                                + ReservationCommand.typeCode(entry, 0)
                                + " key "
                                + ReservationCommand.currentKey(keys, 0)
                                + (keys.capacity() > 8
                                        ? " other " + ReservationCommand.otherKey(keys, 0)
                                        : ""));
                connection.respond(command.id(), 0, 0);
            }
            case IoOpcode.RESERVATION_REPORT -> {
                ByteBuffer report = ByteBuffer.allocate(ReservationReport.size(1));
                ReservationReport.encodeHeader(report, 0, 3, 1, 1, false);
                ReservationReport.encodeRegistrant(
                        report, ReservationReport.size(0), 1, true, 99, NAMESPACE_UUID);
                connection.sendAll(command, report.array());
            }
            default -> refuse(command, StatusCode.INVALID_OPCODE);
        }
    }

    private void deallocate(FakeCommand command) throws IOException {
        ByteBuffer ranges = ByteBuffer.wrap(receive(command));
        for (int i = 0; i < DatasetCommand.ranges(command.entry(), 0); i++) {
            int at = i * DatasetCommand.RANGE_SIZE;
            int from = (int) DatasetCommand.rangeFirstBlock(ranges, at) << target.blockShift;
            int count = (int) DatasetCommand.rangeBlocks(ranges, at) << target.blockShift;
            Arrays.fill(target.medium, from, from + count, (byte) 0);
        }
        connection.respond(command.id(), 0, 0);
    }

    private byte[] receive(FakeCommand command) throws IOException {
        int kind = SglDescriptor.type(command.entry(), SubmissionEntry.SGL);
        int length = command.length();
        if (kind == SglDescriptor.IN_CAPSULE) {
            if (command.inCapsule().length != length || length > target.inCapsuleBytes) {
                throw new IllegalStateException("a capsule with wrong data");
            }
            return command.inCapsule();
        }
        if (kind != SglDescriptor.TRANSPORT) {
            throw new IllegalStateException("a descriptor of type " + kind);
        }
        byte[] data = new byte[length];
        for (int at = 0; at < length; at += target.r2tBytes) {
            int count = Math.min(target.r2tBytes, length - at);
            System.arraycopy(connection.fetch(command, at, count), 0, data, at, count);
        }
        return data;
    }

    private void refuse(FakeCommand command, StatusCode code) throws IOException {
        connection.respond(command.id(), 0, code.doNotRetry());
    }
}
