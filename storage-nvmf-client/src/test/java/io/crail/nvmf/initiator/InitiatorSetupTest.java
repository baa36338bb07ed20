// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeProtocolException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.initiator.fake.FakeTarget;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.log.DiscoveryHeader;
import io.crail.nvmf.wire.pdu.FatalErrorStatus;
import io.crail.nvmf.wire.pdu.InitializeResponse;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.TerminateRequest;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How a controller is set up, and how that fails. */
class InitiatorSetupTest extends InitiatorHarness {
    @Test
    void queuesAreAsLargeAsBothEndsAllow() throws Exception {
        FakeTarget target = newTarget();
        target.maxQueueEntries = 16;
        target.queuesGranted = 3;
        NvmeController controller =
                connect(
                        target,
                        config().withQueues(5, 128, 10).withKeepAlive(Duration.ofSeconds(30)));
        assertThat(controller.state()).isEqualTo(NvmeController.State.LIVE);
        assertThat(target.log)
                .contains(
                        "queue 0 size 32 kato 30000",
                        "queue 1 size 16 kato 0",
                        "queue 2 size 16 kato 0",
                        "queue 3 size 16 kato 0")
                .noneMatch(line -> line.startsWith("queue 4"));
        assertThat(controller.info().model()).isEqualTo("fake");
        assertThat(controller.info().serialNumber()).isEqualTo("fake-1");
        assertThat(controller.info().version()).isEqualTo(0x20000);
        assertThat(controller.info().inCapsuleBytes()).isEqualTo(4096);
        ByteBuffer data = target.connectData;
        if (data == null) {
            throw new AssertionError("no Connect came");
        }
        assertThat(ConnectData.hostId(data, 0)).isEqualTo(HOST);
        assertThat(ConnectData.controllerId(data, 0)).isEqualTo(1); // of an I/O queue
        assertThat(ConnectData.subsystemName(data, 0)).isEqualTo(FakeTarget.NAME);
        assertThat(controller.activeNamespaces()).containsExactly(1);
        NamespaceInfo namespace = controller.namespace(1).info();
        assertThat(namespace.blocks()).isEqualTo(8192);
        assertThat(namespace.uuid()).hasToString("aaaaaaaa-0000-4000-8000-000000000001");
        assertThat(namespace.readsZeros()).isTrue();
    }

    @Test
    void dataOfCommandIsLimitedByTheTargetOrTheConfiguration() throws Exception {
        FakeTarget target = newTarget();
        target.maxTransferShift = 5;
        assertThat(connect(target, config()).info().maxTransferBytes()).isEqualTo(128 << 10);
        assertThat(connect(target, config().withMaxTransferBytes(8192)).info().maxTransferBytes())
                .isEqualTo(8192);
        target.maxTransferShift = 0;
        assertThat(connect(target, config()).info().maxTransferBytes()).isEqualTo(1 << 20);
    }

    private Duration keptAlive(FakeTarget target, Duration asked) throws Exception {
        return connect(target, config().withKeepAlive(asked)).info().keepAlive();
    }

    @Test
    void aHostIsKeptForTheLongerOfWhatItsTargetTellsApartAndWhatItSays() throws Exception {
        FakeTarget target = newTarget();
        Duration asked = Duration.ofMillis(5500);
        assertThat(keptAlive(target, asked)).as("not told").isEqualTo(Duration.ofSeconds(6));
        assertThat(target.log).contains("get feature 15");
        for (long told : new long[] {0, 5500, 6000}) {
            target.keepAliveInForce = told;
            assertThat(keptAlive(target, asked)).isEqualTo(Duration.ofSeconds(6));
        }
        for (long told : new long[] {6001, 10_000, 4_000_000_000L}) {
            target.keepAliveInForce = told;
            assertThat(keptAlive(target, asked)).isEqualTo(Duration.ofMillis(told));
        }
    }

    @Test
    void aTargetWithoutKeepAliveTimerOrNotAskedToKeepOneIsNotAskedWhatItSays() throws Exception {
        FakeTarget target = newTarget();
        target.keepAliveInForce = 10_000;
        assertThat(keptAlive(target, Duration.ZERO)).isZero();
        target.keepAliveUnits = 0;
        assertThat(keptAlive(target, Duration.ofSeconds(5))).isZero();
        assertThat(target.log).noneMatch(line -> line.startsWith("get feature"));
    }

    @Test
    void blocksWithMetadataAreRefused() throws Exception {
        FakeTarget target = newTarget();
        target.metadataSize = 8;
        assertThatThrownBy(() -> open(target, config()))
                .isInstanceOf(NvmeUnsupportedException.class)
                .hasMessageContaining("metadata");
    }

    @Test
    void refusalOfTheTargetIsTyped() throws Exception {
        FakeTarget target = newTarget();
        target.connectStatus = StatusCode.CONNECT_INVALID_HOST.doNotRetry();
        assertThatThrownBy(() -> connect(target, config()))
                .isInstanceOfSatisfying(
                        NvmeStatusException.class,
                        e -> assertThat(e.code()).isEqualTo(StatusCode.CONNECT_INVALID_HOST))
                .hasMessageContaining("connect invalid host");
    }

    @Test
    void nobodyListeningIsTyped() throws Exception {
        FakeTarget target = newTarget();
        target.close();
        assertThatThrownBy(() -> connect(target, config()))
                .isInstanceOf(NvmeConnectException.class)
                .hasMessageContaining("refused");
    }

    @Test
    void silentTargetIsGivenUp() throws Exception {
        FakeTarget target = newTarget();
        CountDownLatch connected = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        target.greeting =
                (connection, nothing) -> {
                    connection.awaitRequest();
                    connected.countDown();
                    awaitQuietly(over);
                    return true;
                };
        Thread mover =
                new Thread(
                        () -> {
                            awaitQuietly(connected);
                            clock.jump(MINUTE.plusSeconds(1));
                        });
        mover.start();
        assertThatThrownBy(() -> connect(target, config()))
                .isInstanceOf(NvmeException.class)
                .hasMessageContaining("ICResp");
        over.countDown();
        mover.join();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            if (!latch.await(100, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nothing happened");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void controllerThatNeverGetsReadyIsGivenUp() throws Exception {
        FakeTarget target = newTarget();
        target.notReadyPolls = Integer.MAX_VALUE;
        target.interceptor =
                (connection, command) -> {
                    if (target.log.stream().noneMatch(line -> line.equals("jumped"))
                            && command.isFabrics(4)) {
                        target.log.add("jumped");
                    } else if (command.isFabrics(4)) {
                        clock.jump(Duration.ofSeconds(7));
                    }
                    return false;
                };
        assertThatThrownBy(() -> connect(target, config()))
                .isInstanceOf(NvmeConnectException.class)
                .hasMessageContaining("not ready");
    }

    @Test
    void invalidResponseIsAnsweredByTheReason() throws Exception {
        FakeTarget target = newTarget();
        target.greeting =
                (connection, nothing) -> {
                    ByteBuffer response = ByteBuffer.allocate(InitializeResponse.SIZE);
                    InitializeResponse.encode(response, 0, 0, false, false, 2048);
                    connection.send(response);
                    connection.readTermination();
                    return true;
                };
        assertThatThrownBy(() -> connect(target, config()))
                .isInstanceOf(NvmeProtocolException.class)
                .hasMessageContaining("MAXH2CDATA");
        Awaitility.await().until(() -> !target.terminations.isEmpty());
        assertThat(target.terminations)
                .containsExactly(
                        new FakeTarget.Termination(
                                FatalErrorStatus.INVALID_HEADER_FIELD.code(),
                                InitializeResponse.MAX_DATA));
    }

    @Test
    void terminationByTheTargetIsTyped() throws Exception {
        FakeTarget target = newTarget();
        target.greeting =
                (connection, nothing) -> {
                    ByteBuffer request = ByteBuffer.allocate(TerminateRequest.MAX_SIZE);
                    int size =
                            TerminateRequest.encode(
                                    request,
                                    0,
                                    PduType.C2H_TERM_REQ,
                                    FatalErrorStatus.UNSUPPORTED_PARAMETER,
                                    8,
                                    request,
                                    64,
                                    40);
                    connection.send(request.limit(size));
                    return false;
                };
        assertThatThrownBy(() -> connect(target, config()))
                .isInstanceOf(NvmeProtocolException.class)
                .hasMessageContaining("UNSUPPORTED_PARAMETER");
    }

    @Test
    void digestsAreUsedOnlyIfBothEndsWant() throws Exception {
        FakeTarget target = newTarget();
        target.dataDigest = false;
        NvmeNamespace namespace = open(target, config().withDigests(true, true));
        namespace.write(0, random(4096, 7)).await();
        assertThat(target.faults).isEmpty();
    }

    @Test
    void discoveryIsReadAgainIfItChangesMeanwhile() throws Exception {
        FakeTarget target = newTarget();
        target.interceptor =
                (connection, command) -> {
                    boolean entries =
                            command.isAdmin(2)
                                    && LogPageCommand.offset(command.entry(), 0)
                                            == DiscoveryHeader.SIZE;
                    if (entries && target.discoveryGeneration.get() < 2) {
                        target.discoveryGeneration.incrementAndGet();
                    }
                    return false;
                };
        try (NvmeInitiator initiator = new NvmeInitiator(config())) {
            List<DiscoveredSubsystem> found = initiator.discover("127.0.0.1", target.port());
            assertThat(found).hasSize(6).allMatch(DiscoveredSubsystem::isTcpSubsystem);
            assertThat(found.get(5).toAddress())
                    .isEqualTo(new NvmeAddress("127.0.0.1", 4420, "nqn.2026-01.io.crail:5"));
            assertThat(target.discoveryGeneration).hasValue(2);
        }
    }

    @Test
    void discoveryThatNeverRestsIsGivenUp() throws Exception {
        FakeTarget target = newTarget();
        target.interceptor =
                (connection, command) -> {
                    target.discoveryGeneration.incrementAndGet();
                    return false;
                };
        try (NvmeInitiator initiator = new NvmeInitiator(config())) {
            assertThatThrownBy(() -> initiator.discover("127.0.0.1", target.port()))
                    .isInstanceOf(NvmeConnectException.class)
                    .hasMessageContaining("changed");
        }
    }
}
