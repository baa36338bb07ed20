// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.NvmeReservations;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.ReservationStatus.Registrant;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.FlashEndpoint;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.layout.OwnerRecord;
import io.crail.nvmf.layout.Superblock;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.tier.ExternalFixture.Freeing;
import io.crail.nvmf.tier.ExternalFixture.Joined;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Targets that are within the specification and yet not as the kernel's: they keep silent hosts for
 * longer than asked for, or register hosts but cannot end their commands, as versions of SPDK, or
 * do not preempt for the holder, as Linux.
 */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
class ForeignTargetTest {
    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final ExternalTiming TIMING =
            new ExternalTiming(Duration.ofMillis(ExternalFixture.KEEP_ALIVE_MILLIS));
    private static final ReservationType TYPE = ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY;
    private static final int RECORD = 256;
    private static final UUID CLIENT = new UUID(77, 78);
    private static final UUID OTHER = new UUID(5, 5);

    @TempDir Path directory;
    private ExternalFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new ExternalFixture(directory.resolve("image"), 8 << 20);
    }

    @AfterEach
    void stop() throws IOException {
        fixture.close();
    }

    private static Fabric coarse(Fabric fabric) {
        return AlteredFabric.unreserved(fabric).keeping(KEPT);
    }

    private static OwnerRecord owner(NvmeNamespace namespace) throws IOException {
        ByteBuffer unit = ByteBuffer.allocateDirect(4096);
        namespace.read(OwnerRecord.OFFSET / 4096, unit).await();
        return OwnerRecord.decode(unit).orElseThrow();
    }

    /** The server has announced the epoch of the block, and looked so many times since. */
    private static void announced(NvmeNamespace namespace, long before, int rounds)
            throws IOException {
        await().until(() -> owner(namespace).epoch() > before);
        long from = owner(namespace).beat();
        await().until(() -> owner(namespace).beat() >= from + rounds);
    }

    private Joined open(UnaryOperator<Fabric> altered) throws IOException {
        return fixture.open(ExternalFixture.IDENTITY, false, altered);
    }

    @Test
    void boundsFollowFromWhatTheTargetKeepsNotFromWhatItWasAskedFor() throws Exception {
        try (Joined server = open(ForeignTargetTest::coarse);
                NvmeController reader = fixture.host(new UUID(77, 78))) {
            FlashEndpoint told = FlashEndpoint.parse(server.tier().endpoints().get(0).host());
            assertThat(told.keepAliveMillis()).isEqualTo((int) KEPT.toMillis());
            NvmeNamespace namespace = reader.namespace(1);
            ByteBuffer unit = DataPool.aligned(4096);
            fixture.target.medium(1).read(0, unit);
            assertThat(Superblock.decode(unit.clear()).keepAliveMillis())
                    .isEqualTo((int) KEPT.toMillis());
            long before = owner(namespace).epoch();
            Freeing freeing = server.free(RECORD);
            announced(namespace, before, 1);
            fixture.jump(new ExternalTiming(KEPT).quarantine().minusMillis(1));
            announced(namespace, before, 2);
            assertThat(freeing.freed).isNotDone();
            fixture.jump(Duration.ofMillis(1));
            assertThat(freeing.freed.get(60, TimeUnit.SECONDS).intValue()).isEqualTo(2);
        }
    }

    @Test
    void aServerThatIsStartedAgainFindsTheSameBounds() throws Exception {
        int incarnation;
        try (Joined first = open(ForeignTargetTest::coarse)) {
            incarnation = first.segment().get().incarnation();
        }
        try (Joined second = open(ForeignTargetTest::coarse)) {
            assertThat(second.segment().get().incarnation()).isEqualTo(incarnation);
        }
    }

    @Test
    void aNamespaceThatWasFormattedForShorterTimesIsRefused() throws Exception {
        fixture.open(ExternalFixture.IDENTITY, false, false).close();
        assertThatThrownBy(() -> open(ForeignTargetTest::coarse))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("storage.nvmf.keep-alive")
                .hasMessageContaining("1000 ms")
                .hasMessageContaining("10000 ms");
    }

    @Test
    void timesThatNobodyWouldWaitForAreRefused() {
        assertThatThrownBy(
                        () ->
                                open(
                                        fabric ->
                                                AlteredFabric.unreserved(fabric)
                                                        .keeping(Duration.ofHours(1))))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("3600000 ms")
                .hasMessageContaining("another target");
    }

    @Test
    void reservationsThatEndNobodysCommandsAreNotReliedOn() throws Exception {
        try (Joined server = open(AlteredFabric::withoutAborts);
                NvmeController host = fixture.host(new UUID(77, 78))) {
            NvmeNamespace namespace = host.namespace(1);
            ReservationStatus status = namespace.reservations().report().await();
            assertThat(status.type()).isNull();
            assertThat(status.registrants()).isEmpty();
            namespace.write(namespace.blockCount() - 1, ByteBuffer.allocateDirect(4096)).await();
            long before = owner(namespace).epoch();
            Freeing freeing = server.free(RECORD);
            announced(namespace, before, 3);
            assertThat(freeing.freed).isNotDone();
            fixture.jump(TIMING.quarantine());
            assertThat(freeing.freed.get(60, TimeUnit.SECONDS).intValue()).isEqualTo(2);
        }
    }

    /** As without reservations: the record tells, since nothing else does. */
    @Test
    void withoutAbortsASecondServerIsRefusedWhileTheFirstOneLives() throws Exception {
        try (Joined first = open(AlteredFabric::withoutAborts)) {
            assertThatThrownBy(() -> open(AlteredFabric::withoutAborts))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("in use by another storage server");
            assertThat(first.failed()).isNotDone();
        }
    }

    private static void register(NvmeNamespace namespace) throws IOException {
        long epoch = owner(namespace).epoch();
        namespace.reservations().register(HostKey.ofClient(epoch, 9)).await();
        write(namespace);
    }

    private static void write(NvmeNamespace namespace) throws IOException {
        namespace.write(namespace.blockCount() - 1, ByteBuffer.allocateDirect(4096)).await();
    }

    /** It cannot write any more, and only the server is registered. */
    private static void isFenced(NvmeNamespace namespace) throws IOException {
        assertThatThrownBy(() -> write(namespace))
                .isInstanceOfSatisfying(
                        NvmeStatusException.class,
                        e -> assertThat(e.code()).isEqualTo(StatusCode.RESERVATION_CONFLICT));
        assertThat(namespace.reservations().report().await().registrants())
                .singleElement()
                .matches(Registrant::holds);
    }

    /** Frees a block, and waits until the server has looked so often at it. */
    private static Freeing free(Joined server, NvmeNamespace namespace, int record, int rounds)
            throws Exception {
        long before = owner(namespace).epoch();
        Freeing freeing = server.free(record);
        announced(namespace, before, rounds);
        return freeing;
    }

    /** The server has looked so often since the clock was moved. */
    private void jump(NvmeNamespace namespace, Duration by) throws IOException {
        fixture.jump(by);
        announced(namespace, -1, 3);
    }

    @Test
    void whereTheHolderPreemptsNobodyAnotherHostOfTheServerDoesIt() throws Exception {
        try (Joined server = open(AlteredFabric::ignoringTheHolder);
                NvmeController host = fixture.host(CLIENT)) {
            NvmeNamespace namespace = host.namespace(1);
            register(namespace);
            Freeing freeing = free(server, namespace, RECORD, 3);
            assertThat(freeing.freed).isNotDone();
            fixture.jump(TIMING.keepAlive().multipliedBy(3));
            assertThat(freeing.freed.get(60, TimeUnit.SECONDS).intValue()).isEqualTo(2);
            isFenced(namespace);
        }
    }

    @Test
    void whereTheHolderPreemptsNobodyHostsOfADiscardedImageAreFencedAllTheSame() throws Exception {
        open(AlteredFabric::ignoringTheHolder).close();
        try (NvmeController host = fixture.host(CLIENT)) {
            NvmeNamespace namespace = host.namespace(1);
            register(namespace);
            try (Joined next = fixture.open(OTHER, true, AlteredFabric::ignoringTheHolder)) {
                assertThat(next.segment()).isDone();
                isFenced(namespace);
            }
        }
    }

    @Test
    void whereNobodyIsPreemptedOnlyTimeFrees() throws Exception {
        try (Joined server = open(AlteredFabric::preemptingNobody);
                NvmeController host = fixture.host(CLIENT)) {
            NvmeNamespace namespace = host.namespace(1);
            register(namespace);
            for (int i = 1; i <= 2; i++) {
                Freeing freeing = free(server, namespace, i * RECORD, 3);
                jump(namespace, TIMING.quarantine().minusMillis(1));
                assertThat(freeing.freed).isNotDone();
                fixture.jump(Duration.ofMillis(1));
                assertThat(freeing.freed.get(60, TimeUnit.SECONDS).intValue()).isEqualTo(2);
                write(namespace);
            }
        }
    }

    @Test
    void whereNobodyIsPreemptedWhatWasDiscardedIsOfferedLater() throws Exception {
        open(AlteredFabric::preemptingNobody).close();
        try (NvmeController host = fixture.host(CLIENT)) {
            NvmeNamespace namespace = host.namespace(1);
            register(namespace);
            try (Joined next = fixture.open(OTHER, true, AlteredFabric::preemptingNobody)) {
                jump(namespace, TIMING.quarantine().minusMillis(1));
                assertThat(next.segment()).isNotDone();
                fixture.jump(Duration.ofMillis(1));
                next.segment().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void aServerStartsWhereItsFormerHostsStayRegistered() throws Exception {
        UUID former = new UUID(ExternalFixture.IDENTITY.getMostSignificantBits(), 7);
        try (NvmeController host = fixture.host(former)) {
            host.namespace(1).reservations().register(HostKey.ofServer(7)).await();
            try (Joined server = open(AlteredFabric::preemptingNobody)) {
                assertThat(server.segment()).isDone();
            }
        }
    }

    /** One block after the other was freed, and each began the quarantine of all anew. */
    @Test
    void whereAHostCannotBePreemptedEachBlockWaitsForItsOwnTimeOnly() throws Exception {
        try (Joined server = open(AlteredFabric::refusingToPreempt);
                NvmeController host = fixture.host(CLIENT)) {
            NvmeNamespace namespace = host.namespace(1);
            register(namespace);
            Freeing first = free(server, namespace, RECORD, 3);
            Freeing last = first;
            for (int i = 1; i <= 5; i++) {
                assertThat(first.freed).isNotDone();
                jump(namespace, TIMING.keepAlive().multipliedBy(2));
                last = free(server, namespace, RECORD + i * FlashLayout.UNITS_PER_SLOT, 3);
            }
            assertThat(first.freed.get(60, TimeUnit.SECONDS).intValue()).isEqualTo(2);
            assertThat(last.freed).isNotDone();
        }
    }

    /** Its registration is gone, so that nothing would be waited for. */
    @Test
    void whileCommandsOfAPreemptedHostHangBlocksThatAreFreedLaterWaitToo() throws Exception {
        try (Joined server = open(AlteredFabric::hanging);
                NvmeController host = fixture.host(CLIENT)) {
            NvmeNamespace namespace = host.namespace(1);
            register(namespace);
            Freeing first = free(server, namespace, RECORD, 3);
            jump(namespace, TIMING.keepAlive().multipliedBy(2));
            isFenced(namespace);
            Freeing later = free(server, namespace, 2 * RECORD, 3);
            assertThat(later.freed).isNotDone();
            assertThat(first.freed).isNotDone();
            fixture.jump(TIMING.quarantine());
            first.freed.get(60, TimeUnit.SECONDS);
            later.freed.get(60, TimeUnit.SECONDS);
            free(server, namespace, 3 * RECORD, 1).freed.get(60, TimeUnit.SECONDS);
        }
    }

    private static void hold(NvmeController host) throws IOException {
        NvmeReservations reservations = host.namespace(1).reservations();
        reservations.register(HostKey.ofServer(7)).await();
        reservations.acquire(TYPE, HostKey.ofServer(7)).await();
    }

    private static void isUnreserved(NvmeController host) throws IOException {
        NvmeNamespace namespace = host.namespace(1);
        ReservationStatus status = namespace.reservations().report().await();
        assertThat(status.type()).isNull();
        assertThat(status.registrants()).isEmpty();
        write(namespace);
    }

    @Test
    void whatAnEarlierLifeHoldsWhereNothingIsAbortedIsGivenUp() throws Exception {
        UUID former = new UUID(ExternalFixture.IDENTITY.getMostSignificantBits(), 7);
        try (NvmeController host = fixture.host(former)) {
            hold(host);
            try (Joined server = open(AlteredFabric::withoutAborts)) {
                assertThat(server.segment()).isDone();
                isUnreserved(host);
            }
        }
    }

    @Test
    void whatAnotherHostHoldsWhereNothingIsAbortedIsRefusedUnlessItIsDiscarded() throws Exception {
        try (NvmeController host = fixture.host(CLIENT)) {
            hold(host);
            assertThatThrownBy(() -> open(AlteredFabric::withoutAborts))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("belongs to somebody else: host " + CLIENT)
                    .hasMessageContaining("--format");
            assertThat(host.namespace(1).reservations().report().await().registrants())
                    .singleElement()
                    .matches(Registrant::holds);
            fixture.open(OTHER, true, AlteredFabric::withoutAborts).close();
            isUnreserved(host);
        }
    }

    @Test
    void whereNobodyCanBeFencedAKeepAliveTimerIsNeeded() throws Exception {
        assertThatThrownBy(
                        () -> open(fabric -> AlteredFabric.withoutAborts(fabric).keepingForEver()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("keep-alive timer")
                .hasMessageContaining("another target");
        assertThatThrownBy(() -> open(fabric -> AlteredFabric.unreserved(fabric).keepingForEver()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("keep-alive timer");
        open(fabric -> AlteredFabric.ignoringTheHolder(fabric).keepingForEver()).close();
    }
}
