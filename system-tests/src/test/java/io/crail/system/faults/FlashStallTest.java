// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CreateOptions;
import io.crail.client.audit.AuditReport;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.TimeoutException;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.spi.TierStatistics;
import io.crail.system.faults.StallingFlash.Stall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device that keeps one command, from before it is written or read until a test lets it go. */
@Tag("faults")
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
final class FlashStallTest {
    private static final int MIB = 1 << 20;
    private static final int FLASH = 32 * MIB;
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(10);

    @TempDir Path directory;
    private EmbeddedCluster cluster;
    private CrailClient client;

    @BeforeEach
    void start() throws IOException {
        cluster = EmbeddedCluster.builder().capacity(16 * MIB).segmentSize(16 * MIB).start();
        cluster.addServer(
                server ->
                        server.tier(StallingFlash.NAME)
                                .storageClass(1)
                                .capacity(FLASH)
                                .limits(quickToTell())
                                .tierOption("file", directory.resolve("crail.img").toString())
                                .tierOption("allocation", "sparse"));
        client = cluster.connect();
        client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
    }

    /** A block that is not free half a second after it was revoked is shown as quarantined. */
    private static ServiceLimits quickToTell() {
        ServiceLimits usual = ServiceLimits.DEFAULT;
        return new ServiceLimits(
                usual.maxConnections(),
                usual.helloTimeout(),
                usual.stallTimeout(),
                usual.answerTimeout(),
                Duration.ofMillis(500));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private TierStatistics flash() {
        return cluster.storage(1).statistics();
    }

    @Test
    void aWriteThatTheDeviceKeepsHoldsItsBlockAndNothingElse() throws Exception {
        byte[] slow = Payload.random(1, MIB);
        Stall stall = Stall.arm(MediumHook.Access.WRITE);
        try {
            Throwable late =
                    catchThrowable(
                            () -> Payload.write(client.withDeadline(SHORT), "/flash/slow", slow));
            assertThat(stall.isReached()).isTrue();
            assertThat(late).isInstanceOf(TimeoutException.class).hasMessageContaining("/flash/");
            for (int i = 0; i < 10; i++) {
                checkedWrite("/flash/other-" + i, i, MIB);
            }
            assertThatThrownBy(() -> client.open("/flash/slow").close())
                    .as("what failed leaves nothing")
                    .isInstanceOf(NoSuchNodeException.class);
            Awaitility.await().until(() -> flash().quarantined() == 1);
            assertThat(flash().inFlight()).as("the one at the device").isEqualTo(1);
            // All that is left is given to others; the block that is kept is not.
            List<String> all = fill("/flash/full-");
            assertThat(flash().quarantined()).isEqualTo(1);
            stall.release();
            Awaitility.await().until(() -> flash().quarantined() == 0 && flash().inFlight() == 0);
            for (int i = 0; i < all.size(); i++) {
                assertThat(Payload.read(client, all.get(i))).isEqualTo(Payload.random(i, MIB));
            }
            for (int i = 0; i < 10; i++) {
                assertThat(Payload.read(client, "/flash/other-" + i))
                        .isEqualTo(Payload.random(i, MIB));
            }
            Awaitility.await().until(() -> writes("/flash/again"));
            isClean();
        } finally {
            stall.release();
        }
    }

    @Test
    void aReadThatTheDeviceKeepsNeverTouchesItsBufferLater() throws Exception {
        byte[] content = Payload.random(2, MIB);
        Payload.write(client, "/flash/f", content);
        Stall stall = Stall.arm(MediumHook.Access.READ);
        try (CrailFile file = client.withDeadline(SHORT).open("/flash/f")) {
            ByteBuffer target = ByteBuffer.allocateDirect(MIB);
            Throwable late = catchThrowable(() -> file.readFully(0, target));
            assertThat(stall.isReached()).isTrue();
            assertThat(late).isInstanceOf(TimeoutException.class).hasMessageContaining("/flash/f");
            byte[] mine = new byte[MIB];
            Arrays.fill(mine, (byte) 0x5A);
            target.clear().put(mine);
            for (int i = 0; i < 5; i++) {
                checkedWrite("/flash/other-" + i, i, MIB);
            }
            assertThat(Payload.read(client, "/flash/f")).as("others read it").isEqualTo(content);
            stall.release();
            Awaitility.await().until(() -> flash().inFlight() == 0);
            assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
            assertThat(target.flip()).as("the caller's own again").isEqualTo(ByteBuffer.wrap(mine));
            isClean();
        } finally {
            stall.release();
        }
    }

    /** Less than the deadline: who waits is served, and nobody else waits. */
    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE"})
    void aCommandThatTakesTenSecondsSucceeds(MediumHook.Access kept) throws Exception {
        byte[] content = Payload.random(4, MIB);
        if (kept == MediumHook.Access.READ) {
            Payload.write(client, "/flash/slow", content);
        }
        Stall stall = Stall.arm(kept);
        try {
            CompletableFuture<byte[]> slow =
                    CompletableFuture.supplyAsync(() -> writtenOrRead(kept, content));
            Awaitility.await().until(stall::isReached);
            long begin = System.nanoTime();
            for (int i = 0; System.nanoTime() - begin < LONG.toNanos(); i++) {
                checkedWrite("/flash/other", i, MIB);
                client.delete("/flash/other", false);
                assertThat(slow).isNotDone();
            }
            stall.release();
            assertThat(slow).succeedsWithin(LONG).isEqualTo(content);
            assertThat(Payload.read(client, "/flash/slow")).isEqualTo(content);
            isClean();
        } finally {
            stall.release();
        }
    }

    private byte[] writtenOrRead(MediumHook.Access way, byte[] content) {
        try {
            if (way == MediumHook.Access.WRITE) {
                Payload.write(client, "/flash/slow", content);
                return content;
            }
            return Payload.read(client, "/flash/slow");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void checkedWrite(String path, int seed, int length) throws IOException {
        Payload.write(client, path, Payload.random(seed, length));
        assertThat(Payload.read(client, path)).isEqualTo(Payload.random(seed, length));
    }

    /** Files of a MiB until nothing more fits. */
    private List<String> fill(String prefix) throws IOException {
        List<String> all = new ArrayList<>();
        while (all.size() < FLASH / MIB) {
            String path = prefix + all.size();
            try {
                Payload.write(client, path, Payload.random(all.size(), MIB));
                all.add(path);
            } catch (OutOfSpaceException e) {
                return all;
            }
        }
        throw new AssertionError("more fits than there is");
    }

    private boolean writes(String path) throws IOException {
        try {
            Payload.write(client, path, Payload.random(3, MIB));
            return true;
        } catch (OutOfSpaceException e) {
            return false;
        }
    }

    private void isClean() throws CrailException {
        AuditReport report = client.admin().check(null, looks -> {});
        assertThat(report.findings()).isEmpty();
        assertThat(report.unchecked()).isEmpty();
    }
}
