// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.target.backing.MediumHook.Access;
import io.crail.nvmf.target.host.Completion;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestHost.Options;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.wire.QualifiedName;
import io.crail.nvmf.wire.command.AbortCommand;
import io.crail.nvmf.wire.command.AsyncEvent;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.DisconnectCommand;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.KeepAliveCommand;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.command.QueueCounts;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.identify.NamespaceData;
import io.crail.nvmf.wire.identify.NamespaceDescriptor;
import io.crail.nvmf.wire.identify.NamespaceList;
import io.crail.nvmf.wire.log.CommandEffects;
import io.crail.nvmf.wire.log.DiscoveryEntry;
import io.crail.nvmf.wire.log.DiscoveryHeader;
import io.crail.nvmf.wire.log.FirmwareSlots;
import io.crail.nvmf.wire.log.SmartData;
import io.crail.nvmf.wire.property.Capabilities;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.ControllerStatus;
import io.crail.nvmf.wire.property.Property;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties, identify, features, log pages, events and abort, as hosts use them. */
class AdminCommandsTest {
    @TempDir Path directory;

    private TestTarget target;

    @BeforeEach
    void start() throws IOException {
        target = new TestTarget(directory);
    }

    @AfterEach
    void stop() throws IOException {
        target.close();
    }

    private TestHost connect() throws IOException {
        return TestHost.connect(target.address(), UUID.randomUUID(), Options.PLAIN);
    }

    private static Completion identify(TestHost host, int namespace, int structure)
            throws IOException {
        ByteBuffer entry = TestQueue.entry();
        IdentifyCommand.encode(entry, 0, host.admin().nextId(), namespace, structure);
        return host.admin().read(entry, IdentifyCommand.DATA_SIZE);
    }

    private static Completion logPage(TestHost host, int page, int length, long offset)
            throws IOException {
        ByteBuffer entry = TestQueue.entry();
        LogPageCommand.encode(entry, 0, host.admin().nextId(), -1, page, length, offset, false);
        return host.admin().read(entry, length);
    }

    private static Completion setFeature(TestHost host, int feature, int value) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        FeaturesCommand.encodeSet(entry, 0, host.admin().nextId(), 0, feature, value);
        return host.admin().plain(entry);
    }

    private static Completion getFeature(TestHost host, int feature, int select)
            throws IOException {
        ByteBuffer entry = TestQueue.entry();
        FeaturesCommand.encodeGet(entry, 0, host.admin().nextId(), 0, feature, select);
        return host.admin().plain(entry);
    }

    @Test
    void isEnabledShutDownAndNotEnabledAgain() throws IOException {
        try (TestHost host =
                TestHost.associate(
                        target.address(), UUID.randomUUID(), Options.PLAIN, TestHost.SUBSYSTEM)) {
            assertThat(Capabilities.maxQueueEntries(host.property(Property.CAP))).isEqualTo(128);
            assertThat(Capabilities.hasNvmCommandSet(host.property(Property.CAP))).isTrue();
            assertThat(host.property(Property.CSTS)).isZero();
            identify(host, 0, IdentifyCommand.CONTROLLER)
                    .expectFinal(StatusCode.COMMAND_SEQUENCE_ERROR);
            host.enable();
            identify(host, 0, IdentifyCommand.CONTROLLER).expectSuccess();
            int enabled = ControllerConfiguration.enabled();
            host.setProperty(
                            Property.CC,
                            ControllerConfiguration.withShutdown(
                                    enabled, ControllerConfiguration.SHUTDOWN_NORMAL))
                    .expectSuccess();
            assertThat(ControllerStatus.shutdown((int) host.property(Property.CSTS)))
                    .isEqualTo(ControllerStatus.SHUTDOWN_COMPLETE);
            host.setProperty(Property.CC, ControllerConfiguration.withEnable(enabled, false))
                    .expectSuccess();
            assertThat(ControllerStatus.isReady((int) host.property(Property.CSTS))).isFalse();
            host.setProperty(Property.CC, enabled).expectFinal(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
    }

    @Test
    void refusesSettingsThatItDoesNotHave() throws IOException {
        try (TestHost host =
                TestHost.associate(
                        target.address(), UUID.randomUUID(), Options.PLAIN, TestHost.SUBSYSTEM)) {
            host.setProperty(Property.CC, 1).expectFinal(StatusCode.INVALID_FIELD);
            host.setProperty(Property.CC, ControllerConfiguration.enabled() | 1 << 4)
                    .expectFinal(StatusCode.INVALID_FIELD);
            host.setProperty(Property.CSTS, 1).expectFinal(StatusCode.INVALID_FIELD);
            assertThat(host.property(Property.CSTS)).isZero();
            assertThat(host.property(Property.VS)).isEqualTo(0x10400);
        }
    }

    @Test
    void disablingClosesTheIoQueues() throws IOException {
        try (TestHost host = connect()) {
            host.openQueue(1).expectSuccess();
            host.flush().expectSuccess();
            host.setProperty(Property.CC, 0).expectSuccess();
            assertThat(host.queue().connection().isAtEnd()).isTrue();
        }
    }

    @Test
    void identifiesControllerAndNamespace() throws IOException {
        try (TestHost host = connect()) {
            ByteBuffer controller =
                    identify(host, 0, IdentifyCommand.CONTROLLER).expectSuccess().bytes();
            assertThat(ControllerData.controllerId(controller, 0)).isEqualTo(host.controllerId());
            assertThat(ControllerData.subsystemName(controller, 0)).isEqualTo(TestHost.SUBSYSTEM);
            assertThat(ControllerData.type(controller, 0)).isEqualTo(ControllerData.TYPE_IO);
            assertThat(ControllerData.maxTransferSize(controller, 0)).isEqualTo(8);
            assertThat(ControllerData.commandCapsuleSize(controller, 0)).isEqualTo(4 + 1024);
            assertThat(ControllerData.responseCapsuleSize(controller, 0)).isEqualTo(1);
            assertThat(ControllerData.keepAliveGranularity(controller, 0)).isEqualTo(10);
            assertThat(ControllerData.sglSupport(controller, 0) & 1).isEqualTo(1);
            assertThat(ControllerData.serialNumber(controller, 0)).hasSize(16);
            assertThat(ControllerData.maxCommands(controller, 0)).isEqualTo(128);

            ByteBuffer namespace =
                    identify(host, 1, IdentifyCommand.NAMESPACE).expectSuccess().bytes();
            assertThat(NamespaceData.size(namespace, 0)).isEqualTo(TestTarget.BYTES / 4096);
            assertThat(NamespaceData.blockShift(namespace, 0, 0)).isEqualTo(12);
            assertThat(NamespaceData.formatIndex(namespace, 0)).isZero();
            assertThat(NamespaceData.deallocation(namespace, 0)).isZero();

            ByteBuffer list =
                    identify(host, 0, IdentifyCommand.ACTIVE_NAMESPACES).expectSuccess().bytes();
            assertThat(NamespaceList.id(list, 0, 0)).isEqualTo(1);
            assertThat(NamespaceList.count(list, 0)).isEqualTo(1);
            list = identify(host, 1, IdentifyCommand.ACTIVE_NAMESPACES).expectSuccess().bytes();
            assertThat(NamespaceList.count(list, 0)).isZero();

            ByteBuffer descriptors =
                    identify(host, 1, IdentifyCommand.NAMESPACE_DESCRIPTORS)
                            .expectSuccess()
                            .bytes();
            assertThat(NamespaceDescriptor.type(descriptors, 0))
                    .isEqualTo(NamespaceDescriptor.TYPE_UUID);
            assertThat(NamespaceDescriptor.uuid(descriptors, 0))
                    .isEqualTo(NamespaceData.guid(namespace, 0));
        }
    }

    @Test
    void refusesToIdentifyWhatItDoesNotHave() throws IOException {
        try (TestHost host = connect()) {
            identify(host, 0, IdentifyCommand.COMMAND_SET_CONTROLLER)
                    .expectFinal(StatusCode.INVALID_FIELD);
            identify(host, 2, IdentifyCommand.NAMESPACE)
                    .expectFinal(StatusCode.INVALID_NAMESPACE_OR_FORMAT);
            identify(host, 0, IdentifyCommand.NAMESPACE)
                    .expectFinal(StatusCode.INVALID_NAMESPACE_OR_FORMAT);
            identify(host, -1, IdentifyCommand.ACTIVE_NAMESPACES)
                    .expectFinal(StatusCode.INVALID_NAMESPACE_OR_FORMAT);
            identify(host, 2, IdentifyCommand.NAMESPACE_DESCRIPTORS)
                    .expectFinal(StatusCode.INVALID_NAMESPACE_OR_FORMAT);
        }
    }

    @Test
    void grantsQueuesUpToItsLimit() throws IOException {
        try (TestHost host = connect()) {
            int granted = (int) host.askForQueues(100).expectSuccess().result();
            assertThat(QueueCounts.submissionQueues(granted)).isEqualTo(16);
            assertThat(QueueCounts.completionQueues(granted)).isEqualTo(16);
            setFeature(host, FeatureId.NUMBER_OF_QUEUES, -1).expectFinal(StatusCode.INVALID_FIELD);
            host.openQueue(17).expectFinal(StatusCode.CONNECT_INVALID_PARAMETERS);
            host.openQueue(16).expectSuccess();
            host.openQueue(16).expectFinal(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
    }

    @Test
    void remembersFeaturesAndTellsThem() throws IOException {
        try (TestHost host = connect()) {
            setFeature(host, FeatureId.ASYNC_EVENTS, 0x1FF).expectSuccess();
            assertThat(getFeature(host, FeatureId.ASYNC_EVENTS, 0).expectSuccess().result())
                    .isEqualTo(0x1FF);
            assertThat(getFeature(host, FeatureId.ASYNC_EVENTS, 1).expectSuccess().result())
                    .isZero();
            assertThat(getFeature(host, FeatureId.ASYNC_EVENTS, 3).expectSuccess().result())
                    .as("changeable")
                    .isEqualTo(4);
            assertThat(getFeature(host, FeatureId.VOLATILE_WRITE_CACHE, 0).result()).isEqualTo(1);
            setFeature(host, FeatureId.VOLATILE_WRITE_CACHE, 0).expectSuccess();
            assertThat(getFeature(host, FeatureId.VOLATILE_WRITE_CACHE, 0).result()).isZero();
            setFeature(host, FeatureId.KEEP_ALIVE_TIMER, 7000).expectSuccess();
            assertThat(getFeature(host, FeatureId.KEEP_ALIVE_TIMER, 0).result()).isEqualTo(7000);
            setFeature(host, FeatureId.HOST_ID, 1).expectFinal(StatusCode.FEATURE_NOT_CHANGEABLE);
            setFeature(host, FeatureId.TIMESTAMP, 1).expectFinal(StatusCode.INVALID_FIELD);
            getFeature(host, 0xC0, 0).expectFinal(StatusCode.INVALID_FIELD);

            ByteBuffer hostId = TestQueue.entry();
            FeaturesCommand.encodeGet(hostId, 0, host.admin().nextId(), 0, FeatureId.HOST_ID, 0);
            SubmissionEntry.cdw11(hostId, 0, 1);
            ByteBuffer id = host.admin().read(hostId, 16).expectSuccess().bytes();
            assertThat(new UUID(id.getLong(0), id.getLong(8))).isEqualTo(host.id());

            ByteBuffer behaviour = TestQueue.entry();
            FeaturesCommand.encodeSet(
                    behaviour, 0, host.admin().nextId(), 0, FeatureId.HOST_BEHAVIOR, 0);
            host.admin().write(behaviour, new byte[512], true).expectSuccess();
        }
    }

    @Test
    void hasTheLogPagesThatHostsReadAndParts() throws IOException {
        try (TestHost host = connect()) {
            host.openQueue(1).expectSuccess();
            host.write(0, 250, new byte[250 * 4096], false).expectSuccess();
            ByteBuffer smart =
                    logPage(host, LogPageCommand.SMART, SmartData.SIZE, 0).expectSuccess().bytes();
            assertThat(SmartData.writeCommands(smart, 0)).isEqualTo(1);
            assertThat(SmartData.dataUnitsWritten(smart, 0)).isEqualTo(2);
            assertThat(SmartData.criticalWarning(smart, 0)).isZero();

            ByteBuffer effects =
                    logPage(host, LogPageCommand.COMMANDS_AND_EFFECTS, CommandEffects.SIZE, 0)
                            .expectSuccess()
                            .bytes();
            assertThat(CommandEffects.ofIo(effects, 0, IoOpcode.WRITE)).isEqualTo(3);
            assertThat(CommandEffects.ofIo(effects, 0, 0x7E)).isZero();
            byte[] part =
                    logPage(host, LogPageCommand.COMMANDS_AND_EFFECTS, 16, 1024)
                            .expectSuccess()
                            .data();
            byte[] expected = new byte[16];
            effects.get(1024, expected);
            assertThat(part).isEqualTo(expected).contains(3);

            ByteBuffer slots =
                    logPage(host, LogPageCommand.FIRMWARE_SLOTS, 512, 0).expectSuccess().bytes();
            assertThat(FirmwareSlots.activeSlot(slots, 0)).isEqualTo(1);
            logPage(host, LogPageCommand.ERROR_INFORMATION, 64, 0).expectSuccess();
            logPage(host, LogPageCommand.CHANGED_NAMESPACES, 4096, 0).expectSuccess();
            logPage(host, LogPageCommand.DISCOVERY, 16, 0).expectFinal(StatusCode.INVALID_LOG_PAGE);
            logPage(host, LogPageCommand.SMART, 4, 516).expectFinal(StatusCode.INVALID_FIELD);
            assertThat(logPage(host, LogPageCommand.SMART, 1024, 0).expectSuccess().data())
                    .hasSize(1024);
        }
    }

    @Test
    void isDiscovered() throws IOException {
        try (TestHost host =
                TestHost.associate(
                        target.address(),
                        UUID.randomUUID(),
                        Options.PLAIN,
                        QualifiedName.DISCOVERY)) {
            host.setProperty(Property.CC, 1).expectSuccess();
            ByteBuffer controller =
                    identify(host, 0, IdentifyCommand.CONTROLLER).expectSuccess().bytes();
            assertThat(ControllerData.type(controller, 0)).isEqualTo(ControllerData.TYPE_DISCOVERY);
            assertThat(ControllerData.subsystemName(controller, 0))
                    .isEqualTo(QualifiedName.DISCOVERY);
            ByteBuffer page =
                    logPage(host, LogPageCommand.DISCOVERY, 2048, 0).expectSuccess().bytes();
            assertThat(DiscoveryHeader.records(page, 0)).isEqualTo(1);
            int at = (int) DiscoveryHeader.entryOffset(0);
            assertThat(DiscoveryEntry.subsystemName(page, at)).isEqualTo(TestHost.SUBSYSTEM);
            assertThat(DiscoveryEntry.address(page, at)).isEqualTo("127.0.0.1");
            assertThat(DiscoveryEntry.serviceId(page, at))
                    .isEqualTo(Integer.toString(target.address().getPort()));
            identify(host, 1, IdentifyCommand.NAMESPACE).expectFinal(StatusCode.INVALID_FIELD);
            host.askForQueues(1).expectFinal(StatusCode.INVALID_FIELD);
            logPage(host, LogPageCommand.SMART, 512, 0).expectFinal(StatusCode.INVALID_LOG_PAGE);
        }
    }

    @Test
    void holdsEventRequestsUntilTheyAreAborted() throws IOException {
        try (TestHost host = connect()) {
            int[] held = new int[4];
            for (int index = 0; index < held.length; index++) {
                held[index] = host.admin().nextId();
                ByteBuffer entry = TestQueue.entry();
                AsyncEvent.encodeRequest(entry, 0, held[index]);
                host.admin()
                        .connection()
                        .sendBytes(host.admin().connection().capsule(entry, new byte[0]));
            }
            ByteBuffer fifth = TestQueue.entry();
            AsyncEvent.encodeRequest(fifth, 0, host.admin().nextId());
            host.admin().plain(fifth).expectFinal(StatusCode.ASYNC_EVENT_LIMIT_EXCEEDED);

            ByteBuffer abort = TestQueue.entry();
            AbortCommand.encode(abort, 0, host.admin().nextId(), 0, held[2]);
            Completion aborted = host.admin().plain(abort);
            assertThat(aborted.expect(StatusCode.ABORT_REQUESTED).commandId()).isEqualTo(held[2]);
            assertThat(AbortCommand.isAborted(host.admin().completion().expectSuccess().result()))
                    .isTrue();
        }
    }

    @Test
    void abortsCommandsThatHaveNotBegun() throws Exception {
        try (TestTarget narrow =
                        new TestTarget(
                                java.nio.file.Files.createDirectory(directory.resolve("narrow")),
                                4096,
                                each -> each.workers(1).inlineCommands(false));
                TestHost host = narrow.host()) {
            Stall stall = new Stall(Access.READ);
            narrow.hook(stall);
            int running = host.queue().nextId();
            int waiting = host.queue().nextId();
            for (int id : new int[] {running, waiting}) {
                ByteBuffer entry = TestQueue.entry();
                BlockCommand.encode(entry, 0, IoOpcode.READ, id, 1, 0, 1);
                host.queue().startRead(entry, 4096);
            }
            stall.awaitStalled();
            await().until(() -> narrow.target().statistics().hosts().get(0).depth() == 2);

            assertThat(abort(host, running)).as("at the medium").isFalse();
            assertThat(abort(host, waiting)).isTrue();
            assertThat(abort(host, 999)).as("never sent").isFalse();
            stall.release();

            host.queue().completion().expectSuccess();
            assertThat(host.queue().completion().expect(StatusCode.ABORT_REQUESTED).commandId())
                    .isEqualTo(waiting);
        }
    }

    private static boolean abort(TestHost host, int commandId) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        AbortCommand.encode(entry, 0, host.admin().nextId(), 1, commandId);
        return AbortCommand.isAborted(host.admin().plain(entry).expectSuccess().result());
    }

    @Test
    void disconnectEndsAnIoQueueAndNotTheAssociation() throws IOException {
        try (TestHost host = connect()) {
            host.openQueue(1).expectSuccess();
            ByteBuffer entry = TestQueue.entry();
            DisconnectCommand.encode(entry, 0, host.queue().nextId());
            host.queue().plain(entry).expectSuccess();
            assertThat(host.queue().connection().isAtEnd()).isTrue();
            host.openQueue(1).expectSuccess();
            ByteBuffer again = TestQueue.entry();
            DisconnectCommand.encode(again, 0, host.admin().nextId());
            host.admin().plain(again).expectFinal(StatusCode.INVALID_QUEUE_TYPE);
        }
    }

    @Test
    void keepAliveSucceedsAndUnknownAdminCommandsDoNot() throws IOException {
        try (TestHost host = connect()) {
            ByteBuffer entry = TestQueue.entry();
            KeepAliveCommand.encode(entry, 0, host.admin().nextId());
            host.admin().plain(entry).expectSuccess();
            ByteBuffer unknown = TestQueue.entry();
            SubmissionEntry.encode(unknown, 0, 0x80, host.admin().nextId(), 0);
            host.admin().plain(unknown).expectFinal(StatusCode.INVALID_OPCODE);
        }
    }
}
