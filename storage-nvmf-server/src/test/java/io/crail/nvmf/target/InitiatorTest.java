// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.DiscoveredSubsystem;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeFuture;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.wire.QualifiedName;
import io.crail.nvmf.wire.reservation.ReservationType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our initiator on our target. */
class InitiatorTest {
    @TempDir Path directory;

    private static NvmeAddress address(TestTarget target) throws IOException {
        return new NvmeAddress("127.0.0.1", target.address().getPort(), TestHost.SUBSYSTEM);
    }

    private static ByteBuffer random(long seed, int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        buffer.put(0, TestTarget.random(seed, bytes));
        return buffer;
    }

    @ParameterizedTest
    @CsvSource({
        "4096, false, false",
        "4096, true, false",
        "4096, false, true",
        "4096, true, true",
        "512, false, false",
        "512, true, true"
    })
    void writesAndReads(int blockBytes, boolean headers, boolean data) throws Exception {
        InitiatorConfig config = InitiatorConfig.of(UUID.randomUUID()).withDigests(headers, data);
        try (TestTarget target = new TestTarget(directory, blockBytes, each -> each);
                NvmeInitiator initiator = new NvmeInitiator(config);
                NvmeController controller = initiator.connect(address(target))) {
            assertThat(controller.activeNamespaces()).containsExactly(1);
            NvmeNamespace namespace = controller.namespace(1);
            assertThat(namespace.blockSize()).isEqualTo(blockBytes);
            assertThat(namespace.blockCount()).isEqualTo(TestTarget.BYTES / blockBytes);
            int seed = 0;
            for (int bytes : new int[] {blockBytes, 4096, 12288, 16384, 20480, 1 << 20, 3 << 20}) {
                long first = 5L + seed;
                ByteBuffer written = random(seed++, bytes);
                namespace.write(first, written).await();
                ByteBuffer read = ByteBuffer.allocateDirect(bytes);
                namespace.read(first, read).await();
                assertThat(read).isEqualTo(written);
                namespace.compare(first, written).await();
            }
            namespace.flush().await();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "16384, 1"})
    void writesWithAndWithoutDataInCapsules(int inCapsule, long seed) throws Exception {
        UnaryOperator<TargetConfigBuilder> options =
                each -> each.inCapsuleBytes(inCapsule).queueEntries(32);
        try (TestTarget target = new TestTarget(directory, 4096, options);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(address(target))) {
            NvmeNamespace namespace = controller.namespace(1);
            List<NvmeFuture<Void>> writes = new ArrayList<>();
            for (int block = 0; block < 500; block++) {
                writes.add(namespace.write(block, random(seed + block, 4096)));
            }
            for (NvmeFuture<Void> each : writes) {
                each.await();
            }
            for (int block = 0; block < 500; block++) {
                assertThat(target.fileBytes(block * 4096L, 4096))
                        .isEqualTo(TestTarget.random(seed + block, 4096));
            }
        }
    }

    @Test
    void manyQueuesDoNotMixUpTheirData() throws Exception {
        InitiatorConfig config = InitiatorConfig.of(UUID.randomUUID()).withQueues(6, 64, 4096);
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator initiator = new NvmeInitiator(config);
                NvmeController controller = initiator.connect(address(target))) {
            NvmeNamespace namespace = controller.namespace(1);
            Random random = new Random(1);
            long[] seeds = new long[512];
            for (int round = 0; round < 10; round++) {
                List<NvmeFuture<Void>> writes = new ArrayList<>();
                for (int unit = 0; unit < seeds.length; unit++) {
                    seeds[unit] = random.nextLong();
                    writes.add(namespace.write(unit * 8L, random(seeds[unit], 8 * 4096)));
                }
                for (NvmeFuture<Void> each : writes) {
                    each.await();
                }
                List<ByteBuffer> buffers = new ArrayList<>();
                List<NvmeFuture<Void>> reads = new ArrayList<>();
                for (int unit = 0; unit < seeds.length; unit++) {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(8 * 4096);
                    buffers.add(buffer);
                    reads.add(namespace.read(unit * 8L, buffer));
                }
                for (int unit = 0; unit < seeds.length; unit++) {
                    reads.get(unit).await();
                    assertThat(buffers.get(unit)).isEqualTo(random(seeds[unit], 8 * 4096));
                }
            }
        }
    }

    @Test
    void discoversTheTargetAndConnectsToWhatItFound() throws Exception {
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator initiator =
                        new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()))) {
            InetSocketAddress at = target.address();
            List<DiscoveredSubsystem> found = initiator.discover("127.0.0.1", at.getPort());
            assertThat(found).hasSize(1);
            assertThat(found.get(0).isTcpSubsystem()).isTrue();
            try (NvmeController controller = initiator.connect(found.get(0).toAddress())) {
                assertThat(controller.state()).isEqualTo(NvmeController.State.LIVE);
            }
        }
    }

    @Test
    void goesOnAfterAReset() throws Exception {
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(address(target))) {
            NvmeNamespace namespace = controller.namespace(1);
            for (int round = 0; round < 5; round++) {
                ByteBuffer written = random(round, 4096);
                namespace.write(round, written).await();
                controller.reset();
                ByteBuffer read = ByteBuffer.allocateDirect(4096);
                namespace.read(round, read).await();
                assertThat(read).isEqualTo(written);
            }
        }
    }

    @Test
    void comesBackWhenTheTargetDoes() throws Exception {
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(address(target))) {
            NvmeNamespace namespace = controller.namespace(1);
            ByteBuffer written = random(9, 1 << 20);
            namespace.write(0, written).await();
            namespace.flush().await();
            target.restart();
            ByteBuffer read = ByteBuffer.allocateDirect(1 << 20);
            namespace.read(0, read).await();
            assertThat(read).isEqualTo(written);
            namespace.write(300, random(10, 4096)).await();
        }
    }

    @Test
    void aRevokedHostFailsUntilItIsAdmittedAgain() throws Exception {
        UUID id = UUID.randomUUID();
        InitiatorConfig config =
                InitiatorConfig.of(id)
                        .withConnectTimeouts(
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(1),
                                Duration.ofMillis(50));
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator initiator = new NvmeInitiator(config)) {
            NvmeController controller = initiator.connect(address(target));
            NvmeNamespace namespace = controller.namespace(1);
            namespace.write(0, random(1, 4096)).await();
            target.target().revoke(QualifiedName.ofUuid(id));
            assertThatThrownBy(() -> namespace.write(0, random(2, 4096)).await())
                    .isInstanceOf(NvmeException.class);
            assertThat(target.fileBytes(0, 4096)).isEqualTo(TestTarget.random(1, 4096));
            assertThatThrownBy(() -> initiator.connect(address(target)))
                    .isInstanceOf(NvmeException.class);
            // Not before: an attempt of it that comes late would end what comes after it.
            await().until(() -> controller.state() == NvmeController.State.LOST);
            controller.close();
            target.target().admit(QualifiedName.ofUuid(id));
            try (NvmeController again = initiator.connect(address(target))) {
                again.namespace(1).write(0, random(3, 4096)).await();
            }
        }
    }

    @Test
    void reservesAndPreempts() throws Exception {
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator one = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeInitiator two = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController first = one.connect(address(target));
                NvmeController second = two.connect(address(target))) {
            NvmeNamespace writer = first.namespace(1);
            NvmeNamespace fencer = second.namespace(1);
            writer.reservations().register(11).await();
            writer.reservations()
                    .acquire(ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY, 11)
                    .await();
            assertThatThrownBy(() -> fencer.write(0, random(1, 4096)).await())
                    .isInstanceOf(NvmeStatusException.class);
            fencer.reservations().register(22).await();
            fencer.write(0, random(1, 4096)).await();
            fencer.reservations()
                    .preempt(ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY, 22, 11, true)
                    .await();
            assertThatThrownBy(() -> writer.write(0, random(2, 4096)).await())
                    .isInstanceOf(NvmeStatusException.class);
            assertThat(target.fileBytes(0, 4096)).isEqualTo(TestTarget.random(1, 4096));
            assertThat(fencer.reservations().report().await().registrants()).hasSize(1);
        }
    }

    @Test
    void zeroesAndDeallocates() throws Exception {
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(address(target))) {
            NvmeNamespace namespace = controller.namespace(1);
            namespace.write(0, random(1, 8 << 20)).await();
            namespace.writeZeroes(new BlockRange(3, 1500), true).await();
            assertThat(target.fileBytes(3 * 4096L, 1500 * 4096)).containsOnly(0);
            namespace.deallocate(List.of(new BlockRange(0, 100), new BlockRange(500, 2))).await();
            assertThat(target.fileBytes(0, 4096))
                    .isEqualTo(java.util.Arrays.copyOf(TestTarget.random(1, 8 << 20), 4096));
        }
    }

    @Test
    void closingLeavesNothingBehind() throws Exception {
        try (TestTarget target = new TestTarget(directory)) {
            for (int round = 0; round < 10; round++) {
                try (NvmeInitiator initiator =
                                new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                        NvmeController controller = initiator.connect(address(target))) {
                    controller.namespace(1).write(0, random(round, 4096)).await();
                }
            }
            await().until(() -> target.target().statistics().connections() == 0);
            assertThat(target.target().statistics().controllers()).isZero();
            assertThat(target.target().statistics().dataBytes()).isZero();
        }
    }
}
