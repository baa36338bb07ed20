// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.layout.OwnerRecord;
import io.crail.nvmf.layout.StoredCounter;
import io.crail.nvmf.tier.ExternalFixture.Freeing;
import io.crail.nvmf.tier.ExternalFixture.Joined;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When a block at a target that guards nothing is reported as freed, and what was fenced then. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
class ExternalFencingTest {
    private static final ExternalTiming TIMING =
            new ExternalTiming(Duration.ofMillis(ExternalFixture.KEEP_ALIVE_MILLIS));
    private static final UUID CLIENT = new UUID(77, 78);

    /** The 16th slot, so that its counter is not the first one. */
    private static final int RECORD = 16 * FlashLayout.UNITS_PER_SLOT;

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

    private static long patiently(Freeing freeing) throws Exception {
        return freeing.freed.get(60, TimeUnit.SECONDS);
    }

    private static int stored(NvmeNamespace namespace) throws IOException {
        ByteBuffer unit = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN);
        namespace.read(FlashLayout.COUNTERS_OFFSET / 4096, unit).await();
        return unit.getInt(4 * FlashLayout.slotOf(RECORD));
    }

    /** Waits until the server has looked so many times at what it waits for. */
    private static void rounds(NvmeNamespace namespace, int count) throws IOException {
        long from = owner(namespace).beat();
        await().until(() -> owner(namespace).beat() >= from + count);
    }

    private static OwnerRecord owner(NvmeNamespace namespace) throws IOException {
        ByteBuffer unit = ByteBuffer.allocateDirect(4096);
        namespace.read(OwnerRecord.OFFSET / 4096, unit).await();
        return OwnerRecord.decode(unit).orElseThrow();
    }

    private static long epoch(NvmeNamespace namespace) throws IOException {
        return owner(namespace).epoch();
    }

    private static void write(NvmeNamespace namespace) throws IOException {
        namespace.write(namespace.blockCount() - 1, ByteBuffer.allocateDirect(4096)).await();
    }

    @Test
    void withoutHostsABlockIsFreedAndItsCounterIsOnTheMediumBefore() throws Exception {
        try (Joined server = fixture.open();
                NvmeController reader = fixture.host(CLIENT)) {
            Freeing freeing = server.free(RECORD);
            long generation = patiently(freeing);
            assertThat((int) generation).isEqualTo(2);
            assertThat(stored(reader.namespace(1))).isEqualTo(StoredCounter.of(2, false));
        }
    }

    @Test
    void aHostThatIsNotRegisteredCannotWrite() throws Exception {
        try (Joined server = fixture.open();
                NvmeController host = fixture.host(CLIENT)) {
            assertThat(server.tier().endpoints()).isNotEmpty();
            NvmeNamespace namespace = host.namespace(1);
            assertThatThrownBy(() -> write(namespace))
                    .isInstanceOfSatisfying(
                            NvmeStatusException.class,
                            e -> assertThat(e.code()).isEqualTo(StatusCode.RESERVATION_CONFLICT));
        }
    }

    @Test
    void aHostThatAcknowledgesIsWaitedForAndStaysRegistered() throws Exception {
        try (Joined server = fixture.open();
                NvmeController host = fixture.host(CLIENT)) {
            NvmeNamespace namespace = host.namespace(1);
            namespace.reservations().register(HostKey.ofClient(epoch(namespace), 9)).await();
            Freeing freeing = server.free(RECORD);
            freeing.held.get(60, TimeUnit.SECONDS);
            assertThat(StoredCounter.isHeld(stored(namespace))).isTrue();
            await().until(() -> server.tier().statistics().quarantined() == 1);
            assertThat(freeing.freed).isNotDone();
            await().untilAsserted(
                            () -> {
                                long seen = HostKey.ofClient(epoch(namespace), 9);
                                namespace.reservations().replaceKey(seen).await();
                                assertThat(freeing.freed).isDone();
                            });
            write(namespace);
            assertThat(StoredCounter.isHeld(stored(namespace))).isFalse();
            assertThat(server.tier().statistics().quarantined()).isZero();
        }
    }

    @Test
    void aSilentHostIsPreemptedAndCannotWriteAnyMore() throws Exception {
        try (Joined server = fixture.open();
                NvmeController host = fixture.host(CLIENT)) {
            NvmeNamespace namespace = host.namespace(1);
            namespace.reservations().register(HostKey.ofClient(epoch(namespace), 9)).await();
            write(namespace);
            Freeing freeing = server.free(RECORD);
            freeing.held.get(60, TimeUnit.SECONDS);
            rounds(namespace, 3);
            assertThat(freeing.freed).isNotDone();
            fixture.jump(TIMING.keepAlive().multipliedBy(3));
            patiently(freeing);
            assertThatThrownBy(() -> write(namespace))
                    .isInstanceOfSatisfying(
                            NvmeStatusException.class,
                            e -> assertThat(e.code()).isEqualTo(StatusCode.RESERVATION_CONFLICT));
        }
    }

    @Test
    void withoutReservationsOnlyTimeFrees() throws Exception {
        try (Joined server = fixture.open(ExternalFixture.IDENTITY, false, false);
                NvmeController reader = fixture.host(CLIENT)) {
            NvmeNamespace namespace = reader.namespace(1);
            long before = epoch(namespace);
            Freeing freeing = server.free(RECORD);
            await().until(() -> epoch(namespace) > before);
            rounds(namespace, 1); // the time of that epoch is read when it is written
            fixture.jump(TIMING.quarantine().minusMillis(1));
            rounds(namespace, 3);
            assertThat(freeing.freed).isNotDone();
            fixture.jump(Duration.ofMillis(1));
            assertThat((int) patiently(freeing)).isEqualTo(2);
        }
    }

    /** It is in no memory any more that the block was in quarantine, only on the medium. */
    @Test
    void aQuarantineOutlivesTheServer() throws Exception {
        try (Joined first = fixture.open(ExternalFixture.IDENTITY, false, false)) {
            Freeing freeing = first.free(RECORD);
            freeing.held.get(60, TimeUnit.SECONDS);
        }
        try (Joined second = fixture.open(ExternalFixture.IDENTITY, false, false)) {
            assertThat(second.segment().get().counters()[RECORD]).as("as before").isEqualTo(1);
            assertThat(second.tier().statistics().quarantined()).isEqualTo(1);
            Freeing again = second.free(RECORD);
            again.held.get(60, TimeUnit.SECONDS);
            assertThat(again.freed).isNotDone();
            await().untilAsserted(
                            () -> {
                                fixture.jump(TIMING.quarantine());
                                assertThat(again.freed).isDone();
                            });
            assertThat((int) patiently(again)).isEqualTo(2);
        }
        try (Joined third = fixture.open(ExternalFixture.IDENTITY, false, false)) {
            assertThat(third.segment().get().counters()[RECORD]).isEqualTo(2);
        }
    }

    @Test
    void theNextLifeTakesTheReservationAndTheFormerOneNoticesThat() throws Exception {
        try (Joined first = fixture.open();
                Joined second = fixture.open()) {
            assertThat(first.failed().get(60, TimeUnit.SECONDS))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("another life");
            assertThat((int) patiently(second.free(RECORD))).isEqualTo(2);
        }
    }

    @Test
    void withoutReservationsASecondServerIsRefusedWhileTheFirstOneLives() throws Exception {
        try (Joined first = fixture.open(ExternalFixture.IDENTITY, false, false)) {
            assertThatThrownBy(() -> fixture.open(ExternalFixture.IDENTITY, false, false))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("in use by another storage server");
            assertThat(first.failed()).isNotDone();
        }
    }

    @Test
    void formattingAlsoRefusesAServerThatLives() throws Exception {
        try (Joined first = fixture.open()) {
            assertThatThrownBy(() -> fixture.open(new UUID(5, 5), true, true))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("in use by another storage server");
            assertThat(first.failed()).isNotDone();
        }
    }

    @Test
    void whatWasDiscardedWithoutReservationsIsOfferedLater() throws Exception {
        fixture.open(ExternalFixture.IDENTITY, false, false).close();
        try (Joined second = fixture.open(new UUID(5, 5), true, false)) {
            assertThat(second.segment()).isNotDone();
            fixture.jump(TIMING.quarantine());
            assertThat(second.segment().get(60, TimeUnit.SECONDS).counters()[RECORD]).isEqualTo(1);
        }
    }

    /** A report of one page has room for 63. */
    @Test
    void manyHostsAreAllWaitedFor() throws Exception {
        List<NvmeController> hosts = new ArrayList<>();
        try (Joined server = fixture.open()) {
            for (int i = 0; i < 70; i++) {
                hosts.add(fixture.host(new UUID(77, i)));
            }
            List<NvmeNamespace> namespaces = new ArrayList<>();
            for (int i = 0; i < 70; i++) {
                NvmeNamespace namespace = hosts.get(i).namespace(1);
                namespaces.add(namespace);
                namespace.reservations().register(HostKey.ofClient(1, i + 1)).await();
            }
            Freeing freeing = server.free(RECORD);
            freeing.held.get(60, TimeUnit.SECONDS);
            NvmeNamespace last = namespaces.get(69);
            await().until(() -> epoch(last) > 1);
            for (int i = 0; i < 69; i++) {
                namespaces.get(i).reservations().replaceKey(HostKey.ofClient(9, i + 1)).await();
            }
            rounds(last, 3);
            assertThat(freeing.freed).as("the 70th has not answered").isNotDone();
            last.reservations().replaceKey(HostKey.ofClient(9, 70)).await();
            patiently(freeing);
        } finally {
            hosts.forEach(NvmeController::close);
        }
    }
}
