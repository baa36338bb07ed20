// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeFuture;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.target.backing.DirectIo;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.target.fence.CommandGuard;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.subsystem.HostAdmission;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads by io_uring. The other tests of the target put faults into media, and therefore have no
 * ring. Skipped where the kernel or the file system of temporary files allows none.
 */
class RingReadTest {
    private static final int BYTES = 8 << 20;
    private static final int UNIT = 4096;

    @TempDir private Path directory;
    private Path file;
    private byte[] content;

    @BeforeEach
    void makeFile() throws IOException {
        file = directory.resolve("medium");
        content = TestTarget.random(7, BYTES);
        Files.write(file, content);
    }

    /** Counts who is at the medium, and refuses one range. */
    private static final class CountingGuard implements CommandGuard {
        private final AtomicInteger entered = new AtomicInteger();
        private final AtomicInteger left = new AtomicInteger();

        @Override
        public long enter(
                ByteBuffer entry, boolean isWrite, long position, int length, long rider) {
            if (position == UNIT) {
                return CommandGuard.refuse(StatusCode.ACCESS_DENIED.doNotRetry());
            }
            return entered.incrementAndGet();
        }

        @Override
        public void exit(long hold) {
            assertThat(hold).isPositive();
            left.incrementAndGet();
        }
    }

    /** Counts the reads that end by the ring. */
    private static final class RingGuard implements CommandGuard {
        private final AtomicInteger byRing = new AtomicInteger();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        @Override
        public long enter(
                ByteBuffer entry, boolean isWrite, long position, int length, long rider) {
            int now = inside.incrementAndGet();
            most.accumulateAndGet(now, Math::max);
            return now;
        }

        @Override
        public void exit(long hold) {
            inside.decrementAndGet();
            boolean ring =
                    StackWalker.getInstance()
                            .walk(
                                    frames ->
                                            frames.anyMatch(
                                                    each ->
                                                            each.getClassName()
                                                                    .endsWith(".RingReads")));
            if (ring) {
                byRing.incrementAndGet();
            }
        }
    }

    private NvmeTarget start(int blockBytes, boolean ring, CommandGuard guard) throws IOException {
        return start(blockBytes, ring, false, guard);
    }

    private NvmeTarget start(int blockBytes, boolean ring, boolean inline, CommandGuard guard)
            throws IOException {
        NamespaceConfig namespace =
                NamespaceConfig.of(file, 0)
                        .withBlockBytes(blockBytes)
                        .withDirect(DirectIo.PREFERRED)
                        .withAllocation(Allocation.SPARSE);
        return NvmeTarget.start(
                TargetConfig.builder(TestHost.SUBSYSTEM, namespace)
                        .anyHost(true)
                        .eventLoops(1)
                        .inlineCommands(inline)
                        .ring(ring)
                        .build(),
                new TargetSurroundings(
                        System::nanoTime, MediumHook.NONE, guard, HostAdmission.ALL));
    }

    private static NvmeAddress address(NvmeTarget target) throws IOException {
        return new NvmeAddress("127.0.0.1", target.address().getPort(), TestHost.SUBSYSTEM);
    }

    @Test
    void largeReadsGoToTheKernelByFourMebibytes() throws Exception {
        RingGuard guard = new RingGuard();
        try (NvmeTarget target = start(UNIT, true, guard);
                NvmeInitiator initiator =
                        new NvmeInitiator(
                                InitiatorConfig.of(UUID.randomUUID()).withSharedMemory(false));
                NvmeController controller = initiator.connect(address(target))) {
            assumeThat(target.hasRing()).isTrue();
            NvmeNamespace namespace = controller.namespace(1);
            int piece = 1 << 20;
            List<NvmeFuture<Void>> reads = new ArrayList<>();
            List<ByteBuffer> buffers = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(piece);
                buffers.add(buffer);
                reads.add(namespace.read((long) (i % 8) * piece / UNIT, buffer));
            }
            for (int i = 0; i < reads.size(); i++) {
                reads.get(i).await();
                ByteBuffer expected = ByteBuffer.wrap(content, i % 8 * piece, piece);
                assertThat(buffers.get(i).rewind().mismatch(expected)).isEqualTo(-1);
            }
            assertThat(guard.byRing).hasValue(24);
            assertThat(guard.inside).hasValue(0);
            assertThat(guard.most.get()).isBetween(1, 4);
        }
    }

    @ParameterizedTest
    @CsvSource({"4096, true", "512, true", "4096, false"})
    void everyReadBringsItsOwnBytes(int blockBytes, boolean ring) throws Exception {
        try (NvmeTarget target = start(blockBytes, ring, CommandGuard.NONE);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(address(target))) {
            assumeThat(target.hasRing() || !ring).isTrue();
            assertThat(target.hasRing()).isEqualTo(ring);
            NvmeNamespace namespace = controller.namespace(1);
            Random random = new Random(3);
            for (int round = 0; round < 20; round++) {
                List<NvmeFuture<Void>> reads = new ArrayList<>();
                List<ByteBuffer> buffers = new ArrayList<>();
                List<Integer> positions = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    int bytes = blockBytes * (1 + random.nextInt(4)) * (i == 5 ? 32 : 1);
                    int at = random.nextInt((BYTES - bytes) / blockBytes) * blockBytes;
                    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
                    positions.add(at);
                    buffers.add(buffer);
                    reads.add(namespace.read(at / blockBytes, buffer));
                }
                for (int i = 0; i < reads.size(); i++) {
                    reads.get(i).await();
                    byte[] read = new byte[buffers.get(i).capacity()];
                    buffers.get(i).get(0, read);
                    assertThat(read)
                            .containsExactly(
                                    java.util.Arrays.copyOfRange(
                                            content,
                                            positions.get(i),
                                            positions.get(i) + read.length));
                }
            }
        }
    }

    /** As shipped: what comes one at a time is carried out by the loop, but for small reads. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void readsOneAtATimeGoByTheRingBetweenWritesByTheLoop(boolean ring) throws Exception {
        RingGuard guard = new RingGuard();
        try (NvmeTarget target = start(UNIT, ring, true, guard);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(address(target))) {
            assumeThat(target.hasRing() || !ring).isTrue();
            NvmeNamespace namespace = controller.namespace(1);
            Random random = new Random(5);
            int reads = 200;
            for (int i = 0; i < reads; i++) {
                int block = random.nextInt(BYTES / UNIT);
                if (i % 3 == 0) {
                    byte[] fresh = TestTarget.random(i, UNIT);
                    System.arraycopy(fresh, 0, content, block * UNIT, UNIT);
                    ByteBuffer written = ByteBuffer.allocateDirect(UNIT).put(fresh).flip();
                    namespace.write(block, written).await();
                }
                ByteBuffer buffer = ByteBuffer.allocateDirect(UNIT);
                namespace.read(block, buffer).await();
                byte[] read = new byte[UNIT];
                buffer.get(0, read);
                assertThat(read)
                        .containsExactly(
                                java.util.Arrays.copyOfRange(
                                        content, block * UNIT, (block + 1) * UNIT));
            }
            assertThat(guard.inside).hasValue(0);
            assertThat(guard.byRing).hasValue(ring ? reads : 0);
        }
    }

    /** Reads one block after the other, each as soon as one before it has ended. */
    private static final class Flood implements AutoCloseable {
        private final NvmeNamespace namespace;
        private final Phaser reads = new Phaser(1);
        private final AtomicInteger ended = new AtomicInteger();
        private volatile boolean stops;

        Flood(NvmeNamespace namespace, int depth) {
            this.namespace = namespace;
            for (int i = 0; i < depth; i++) {
                reads.register();
                next(ByteBuffer.allocateDirect(UNIT));
            }
        }

        private void next(ByteBuffer buffer) {
            namespace.read(
                    2 + ended.get() % 1000,
                    buffer.clear(),
                    failure -> {
                        ended.incrementAndGet();
                        if (stops || failure != null) {
                            reads.arriveAndDeregister();
                        } else {
                            next(buffer);
                        }
                    });
        }

        @Override
        public void close() {
            stops = true;
            reads.arriveAndAwaitAdvance();
        }
    }

    /**
     * The loop asks the socket that was heard last more often than the others. During a read of the
     * other host the busy one gets about as many as it has in its queue.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 64})
    void aHostThatNeverRestsLeavesItsTurnToAnother(int depth) throws Exception {
        try (NvmeTarget target = start(UNIT, true, true, CommandGuard.NONE);
                NvmeInitiator busy =
                        new NvmeInitiator(
                                InitiatorConfig.of(UUID.randomUUID()).withSharedMemory(false));
                NvmeInitiator other =
                        new NvmeInitiator(
                                InitiatorConfig.of(UUID.randomUUID()).withSharedMemory(false));
                NvmeController ofBusy = busy.connect(address(target));
                NvmeController ofOther = other.connect(address(target))) {
            assumeThat(target.hasRing()).isTrue();
            try (Flood flood = new Flood(ofBusy.namespace(1), depth)) {
                await().until(() -> flood.ended.get() > 1000);
                NvmeNamespace namespace = ofOther.namespace(1);
                int reads = 300;
                int before = flood.ended.get();
                for (int block = 2; block < 2 + reads; block++) {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(UNIT);
                    namespace.read(block, buffer).await();
                    assertThat(buffer.get(17)).isEqualTo(content[block * UNIT + 17]);
                }
                int ofOthers = flood.ended.get() - before;
                assertThat(ofOthers).isLessThan(4 * reads * (depth + 16));
            }
        }
    }

    @Test
    void theGuardHoldsEachReadUntilItHasEndedAndMayRefuseIt() throws Exception {
        CountingGuard guard = new CountingGuard();
        try (NvmeTarget target = start(UNIT, true, guard);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(address(target))) {
            assumeThat(target.hasRing()).isTrue();
            NvmeNamespace namespace = controller.namespace(1);
            List<NvmeFuture<Void>> reads = new ArrayList<>();
            for (int block = 2; block < 102; block++) {
                reads.add(namespace.read(block, ByteBuffer.allocateDirect(UNIT)));
            }
            NvmeFuture<Void> refused = namespace.read(1, ByteBuffer.allocateDirect(UNIT));
            for (NvmeFuture<Void> each : reads) {
                each.await();
            }
            assertThatThrownBy(refused::await).isInstanceOf(NvmeStatusException.class);
            assertThat(guard.entered).hasValue(100);
            assertThat(guard.left).hasValue(100);
        }
    }

    @Test
    void nothingIsAtTheMediumWhenAHostIsRevokedUnderLoad() throws Exception {
        CountingGuard guard = new CountingGuard();
        InitiatorConfig config = InitiatorConfig.of(UUID.randomUUID()).withRetries(0);
        try (NvmeTarget target = start(UNIT, true, guard);
                NvmeInitiator initiator = new NvmeInitiator(config);
                NvmeController controller = initiator.connect(address(target))) {
            assumeThat(target.hasRing()).isTrue();
            NvmeNamespace namespace = controller.namespace(1);
            AtomicInteger ended = new AtomicInteger();
            for (int i = 0; i < 2_000; i++) {
                namespace.read(
                        2 + i, ByteBuffer.allocateDirect(UNIT), x -> ended.incrementAndGet());
            }
            await().until(() -> guard.entered.get() > 0);
            target.revoke(config.hostName());
            assertThat(guard.left).hasValue(guard.entered.get());
            await().untilAtomic(ended, org.hamcrest.Matchers.is(2_000));
        }
    }

    @Test
    void aFileThatBecameShorterIsAReadErrorAndNothingElse() throws Exception {
        try (NvmeTarget target = start(UNIT, true, CommandGuard.NONE);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = initiator.connect(address(target))) {
            assumeThat(target.hasRing()).isTrue();
            NvmeNamespace namespace = controller.namespace(1);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(BYTES / 2);
            }
            long lost = BYTES / 2 / UNIT;
            NvmeFuture<Void> behind = namespace.read(lost, ByteBuffer.allocateDirect(UNIT));
            NvmeFuture<Void> across = namespace.read(lost - 1, ByteBuffer.allocateDirect(2 * UNIT));
            NvmeFuture<Void> before = namespace.read(lost - 1, ByteBuffer.allocateDirect(UNIT));
            assertThatThrownBy(behind::await).isInstanceOf(NvmeException.class);
            assertThatThrownBy(across::await).isInstanceOf(NvmeException.class);
            before.await();
        }
    }

    @Test
    void aTargetIsStoppedAndStartedAgain() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (NvmeTarget target = start(UNIT, true, CommandGuard.NONE);
                    NvmeInitiator initiator =
                            new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                    NvmeController controller = initiator.connect(address(target))) {
                NvmeNamespace namespace = controller.namespace(1);
                ByteBuffer buffer = ByteBuffer.allocateDirect(UNIT);
                namespace.read(round, buffer).await();
                assertThat(buffer.get(17)).isEqualTo(content[round * UNIT + 17]);
            }
        }
    }
}
