// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeFuture;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.target.backing.MediumHook.Access;
import io.crail.nvmf.target.host.Completion;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.target.status.TargetStatistics;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.RiderField;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SharedMemoryCommand;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data of commands in memory that target and host share. */
class SharedMemoryTest {
    private static final int BLOCK = 4096;
    private static final int PIECE = 1 << 20;
    private static final int QUEUE_BYTES = 16 << 20;

    @TempDir Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final UUID owner = UUID.randomUUID();
    private Path memory = Path.of("");

    @BeforeEach
    void makeDirectory() throws IOException {
        Path parent = Path.of("/dev/shm");
        memory =
                Files.createTempDirectory(
                        Files.isDirectory(parent) ? parent : directory, "crail-test-");
    }

    @AfterEach
    void stop() throws IOException {
        threads.shutdownNow();
        assertThat(files()).isEmpty();
        Files.delete(memory);
    }

    private TestTarget target(long bytes) throws IOException {
        return new TestTarget(
                directory,
                BLOCK,
                each -> each.sharedMemory(new SharedMemoryConfig(memory, owner, bytes)));
    }

    private TestTarget target() throws IOException {
        return target(64 << 20);
    }

    /** But for the target's socket. */
    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(memory)) {
            return all.filter(each -> !each.endsWith(owner + ".socket")).toList();
        }
    }

    private static Completion share(TestQueue queue) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        SharedMemoryCommand.encodeShare(entry, 0, queue.nextId());
        return queue.read(entry, SharedMemoryCommand.ANSWER_SIZE);
    }

    private static Completion use(TestQueue queue, boolean mapped) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        SharedMemoryCommand.encodeUse(entry, 0, queue.nextId(), mapped);
        return queue.plain(entry);
    }

    private static MappedByteBuffer map(Completion answer) throws IOException {
        Path path = Path.of(SharedMemoryCommand.path(answer.bytes(), 0));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(
                    FileChannel.MapMode.READ_WRITE,
                    0,
                    SharedMemoryCommand.bytes(answer.bytes(), 0));
        }
    }

    @Test
    void aFileBeginsWithItsName() throws Exception {
        try (TestTarget target = target();
                TestHost host = target.host()) {
            Completion answer = share(host.queue()).expectSuccess();
            Path path = Path.of(SharedMemoryCommand.path(answer.bytes(), 0));
            assertThat(path.getFileName().toString()).startsWith(owner + ".");
            ByteBuffer mark = SharedMemoryCommand.mark(path.getFileName().toString());
            assertThat(map(answer).slice(0, SharedMemoryCommand.MARK_SIZE)).isEqualTo(mark);
        }
    }

    private static MappedByteBuffer shared(TestQueue queue) throws IOException {
        MappedByteBuffer mapped = map(share(queue).expectSuccess());
        use(queue, true).expectSuccess();
        return mapped;
    }

    private static Completion move(
            TestHost host, int opcode, long block, int blocks, long offset, int length)
            throws IOException {
        ByteBuffer entry = host.block(opcode, block, blocks);
        SglDescriptor.encodeShared(entry, SubmissionEntry.SGL, offset, length);
        return host.queue().plain(entry);
    }

    private static Completion move(TestHost host, int opcode, long block, int blocks, long offset)
            throws IOException {
        return move(host, opcode, block, blocks, offset, blocks * BLOCK);
    }

    @Test
    void dataGoesThroughTheMemoryAndNotThroughTheSocket() throws Exception {
        try (TestTarget target = target();
                TestHost host = target.host()) {
            MappedByteBuffer mapped = shared(host.queue());
            assertThat(mapped.capacity()).isEqualTo(QUEUE_BYTES);
            assertThat(files()).as("its name is gone").isEmpty();
            byte[] data = TestTarget.random(1, PIECE);
            mapped.put(3 * PIECE, data);
            move(host, IoOpcode.WRITE, 7, 256, 3 * PIECE).expectSuccess();
            assertThat(target.fileBytes(7 * BLOCK, PIECE)).isEqualTo(data);
            move(host, IoOpcode.READ, 7, 256, 7 * PIECE).expectSuccess();
            byte[] read = new byte[PIECE];
            mapped.get(7 * PIECE, read);
            assertThat(read).isEqualTo(data);
            move(host, IoOpcode.READ, 9, 1, 4096).expectSuccess(); // by the ring
            assertThat(mapped.slice(4096, BLOCK))
                    .isEqualTo(ByteBuffer.wrap(data, 2 * BLOCK, BLOCK).slice());
            TargetStatistics counted = target.target().statistics();
            assertThat(counted.sharedMemory()).isEqualTo(QUEUE_BYTES);
            assertThat(counted.sharedBytes()).isEqualTo(2 * PIECE + BLOCK);
            assertThat(counted.dataBytesPeak()).isLessThan(PIECE);
        }
    }

    private static Completion ride(
            TestHost host, int opcode, long block, int blocks, long offset, long rider)
            throws IOException {
        ByteBuffer entry = host.block(opcode, block, blocks);
        SglDescriptor.encodeShared(entry, SubmissionEntry.SGL, offset, blocks * BLOCK);
        RiderField.encode(entry, 0, rider);
        return host.queue().plain(entry);
    }

    @Test
    void aUnitElsewhereGoesAlongWithTheData() throws Exception {
        try (TestTarget target = target();
                TestHost host = target.host()) {
            MappedByteBuffer mapped = shared(host.queue());
            byte[] data = TestTarget.random(1, PIECE + BLOCK);
            mapped.put(PIECE, data);
            ride(host, IoOpcode.WRITE, 7, 256, PIECE, 500).expectSuccess();
            assertThat(target.fileBytes(7 * BLOCK, PIECE)).isEqualTo(Arrays.copyOf(data, PIECE));
            byte[] unit = Arrays.copyOfRange(data, PIECE, PIECE + BLOCK);
            assertThat(target.fileBytes(500 * BLOCK, BLOCK)).isEqualTo(unit);
            ride(host, IoOpcode.READ, 8, 8, 4 * PIECE, 500).expectSuccess();
            byte[] read = new byte[9 * BLOCK];
            mapped.get(4 * PIECE, read);
            assertThat(Arrays.copyOf(read, 8 * BLOCK))
                    .isEqualTo(Arrays.copyOfRange(data, BLOCK, 9 * BLOCK));
            assertThat(Arrays.copyOfRange(read, 8 * BLOCK, 9 * BLOCK)).isEqualTo(unit);
            assertThat(target.target().statistics().sharedBytes())
                    .isEqualTo(PIECE + BLOCK + 9 * BLOCK);
            // Without shared memory nobody looks at the metadata pointer.
            ByteBuffer entry = host.block(IoOpcode.READ, 7, 1);
            RiderField.encode(entry, 0, 500);
            host.queue().read(entry, BLOCK).expectSuccess();
        }
    }

    @Test
    void aUnitThatCannotGoAlongFailsTheCommandBeforeAnythingIsMoved() throws Exception {
        try (TestTarget target = target();
                TestHost host = target.host()) {
            MappedByteBuffer mapped = shared(host.queue());
            for (int index = 0; index < PIECE; index++) {
                mapped.put(index, (byte) 7);
            }
            long blocks = target.target().medium(1).bytes() / BLOCK;
            for (long rider : new long[] {blocks, blocks + 1, -1, 1L << 62, Long.MIN_VALUE}) {
                ride(host, IoOpcode.WRITE, 3, 8, 0, rider).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
                ride(host, IoOpcode.READ, 3, 8, 0, rider).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
            }
            ride(host, IoOpcode.WRITE, 3, 8, QUEUE_BYTES - 8 * BLOCK, 500)
                    .expectFinal(StatusCode.SGL_OFFSET_INVALID);
            assertThat(target.fileBytes(3 * BLOCK, BLOCK)).containsOnly(0);
            ride(host, IoOpcode.WRITE, 3, 8, 0, blocks - 1).expectSuccess();
            assertThat(target.fileBytes(3 * BLOCK, BLOCK)).containsOnly(7);
        }
    }

    @Test
    void aUnitOfSmallBlocksBeginsAtAWholeUnit() throws Exception {
        try (TestTarget target =
                        new TestTarget(
                                directory,
                                512,
                                each ->
                                        each.sharedMemory(
                                                new SharedMemoryConfig(memory, owner, 64 << 20)));
                TestHost host = target.host()) {
            MappedByteBuffer mapped = shared(host.queue());
            mapped.put(BLOCK, TestTarget.random(2, BLOCK));
            ByteBuffer entry = host.block(IoOpcode.WRITE, 8, 8);
            SglDescriptor.encodeShared(entry, SubmissionEntry.SGL, 0, BLOCK);
            RiderField.encode(entry, 0, 801);
            host.queue().plain(entry).expectFinal(StatusCode.INVALID_FIELD);
            entry = host.block(IoOpcode.WRITE, 8, 8);
            SglDescriptor.encodeShared(entry, SubmissionEntry.SGL, 0, BLOCK);
            RiderField.encode(entry, 0, 800);
            host.queue().plain(entry).expectSuccess();
            assertThat(target.fileBytes(800 * 512, BLOCK)).isEqualTo(TestTarget.random(2, BLOCK));
        }
    }

    @Test
    void whatDoesNotFitTheMemoryIsRefusedAndTheQueueGoesOn() throws Exception {
        try (TestTarget target = target();
                TestHost host = target.host()) {
            move(host, IoOpcode.READ, 0, 1, 0).expectFinal(StatusCode.SGL_OFFSET_INVALID);
            use(host.queue(), true).expectFinal(StatusCode.COMMAND_SEQUENCE_ERROR);
            Completion answer = share(host.queue()).expectSuccess();
            assertThat(files()).hasSize(1);
            move(host, IoOpcode.READ, 0, 1, 0).expectFinal(StatusCode.SGL_OFFSET_INVALID);
            share(host.queue()).expectFinal(StatusCode.COMMAND_SEQUENCE_ERROR);
            MappedByteBuffer mapped = map(answer);
            use(host.queue(), true).expectSuccess();
            use(host.queue(), true).expectFinal(StatusCode.COMMAND_SEQUENCE_ERROR);
            for (long offset :
                    new long[] {
                        -4096, 1, 512, QUEUE_BYTES, QUEUE_BYTES - 4096 + 1, 1L << 40, 1L << 63
                    }) {
                move(host, IoOpcode.WRITE, 0, 1, offset).expectFinal(StatusCode.SGL_OFFSET_INVALID);
            }
            move(host, IoOpcode.WRITE, 0, 2, QUEUE_BYTES - 4096)
                    .expectFinal(StatusCode.SGL_OFFSET_INVALID);
            move(host, IoOpcode.WRITE, 0, 2, 0, BLOCK)
                    .expectFinal(StatusCode.DATA_SGL_LENGTH_INVALID);
            move(host, IoOpcode.COMPARE, 0, 1, 0).expectFinal(StatusCode.SGL_TYPE_INVALID);
            mapped.put(QUEUE_BYTES - 1, (byte) 7);
            move(host, IoOpcode.WRITE, 0, 1, QUEUE_BYTES - 4096).expectSuccess();
            assertThat(target.fileBytes(BLOCK - 1, 1)).containsExactly(7);
            host.write(5, 1, TestTarget.random(5, BLOCK), true).expectSuccess();
        }
    }

    @Test
    void aHostThatCannotMapItGivesItBack() throws Exception {
        try (TestTarget target = target();
                TestHost host = target.host()) {
            share(host.queue()).expectSuccess();
            use(host.queue(), false).expectSuccess();
            assertThat(files()).isEmpty();
            assertThat(target.target().statistics().sharedMemory()).isZero();
            move(host, IoOpcode.READ, 0, 1, 0).expectFinal(StatusCode.SGL_OFFSET_INVALID);
            shared(host.queue());
            move(host, IoOpcode.READ, 0, 1, 0).expectSuccess();
        }
    }

    @Test
    void aConnectionThatEndsTakesItsMemoryAlong() throws Exception {
        try (TestTarget target = target()) {
            try (TestHost host = target.host()) {
                share(host.queue()).expectSuccess();
            }
            await().until(() -> target.target().statistics().connections() == 0);
            assertThat(files()).isEmpty();
            try (TestHost host = target.host()) {
                shared(host.queue());
                assertThat(target.target().statistics().sharedMemory()).isEqualTo(QUEUE_BYTES);
            }
            await().until(() -> target.target().statistics().sharedMemory() == 0);
        }
    }

    @Test
    void thereIsNoMoreThanTheLimitAndItComesBack() throws Exception {
        try (TestTarget target = target(QUEUE_BYTES + QUEUE_BYTES / 2)) {
            try (TestHost one = target.host();
                    TestHost two = target.host()) {
                shared(one.queue());
                Completion none = share(two.queue()).expectSuccess();
                assertThat(SharedMemoryCommand.isAnswer(none.bytes(), 0)).isTrue();
                assertThat(SharedMemoryCommand.bytes(none.bytes(), 0)).isZero();
                assertThat(files()).isEmpty();
            }
            // Unmapped by the collector, which the target asks to look.
            await().atMost(60, TimeUnit.SECONDS)
                    .until(
                            () -> {
                                try (TestHost later = target.host()) {
                                    Completion answer = share(later.queue()).expectSuccess();
                                    return SharedMemoryCommand.bytes(answer.bytes(), 0) > 0;
                                }
                            });
        }
    }

    @Test
    void aTargetThatSharesNothingDoesNotKnowTheCommands() throws Exception {
        try (TestTarget target = new TestTarget(directory);
                TestHost host = target.host()) {
            share(host.queue()).expectFinal(StatusCode.INVALID_OPCODE);
            use(host.queue(), true).expectFinal(StatusCode.INVALID_OPCODE);
        }
    }

    @Test
    void filesThatAKilledTargetLeftAreRemovedByItsNextLifeAndNobodyElse() throws Exception {
        Path left = memory.resolve(owner + "." + UUID.randomUUID());
        Path other = memory.resolve(UUID.randomUUID() + "." + UUID.randomUUID());
        Files.write(left, new byte[BLOCK]);
        Files.write(other, new byte[BLOCK]);
        try (TestTarget target = target();
                TestHost host = target.host()) {
            assertThat(files()).containsExactly(other);
            shared(host.queue());
        }
        Files.delete(other);
    }

    /** Only the kernel looks at the memory, so it is the command that fails, not the target. */
    @Test
    void aHostThatCutsTheFileOffSpoilsItsOwnCommands() throws Exception {
        try (TestTarget target = target();
                TestHost host = target.host()) {
            Completion answer = share(host.queue()).expectSuccess();
            Path path = Path.of(SharedMemoryCommand.path(answer.bytes(), 0));
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(BLOCK);
            }
            use(host.queue(), true).expectSuccess();
            move(host, IoOpcode.WRITE, 0, 256, PIECE).expect(StatusCode.WRITE_FAULT);
            move(host, IoOpcode.READ, 0, 256, PIECE).expect(StatusCode.UNRECOVERED_READ_ERROR);
            move(host, IoOpcode.READ, 0, 1, PIECE).expect(StatusCode.UNRECOVERED_READ_ERROR);
            host.write(5, 1, TestTarget.random(5, BLOCK), true).expectSuccess();
            move(host, IoOpcode.WRITE, 0, 1, 0).expectSuccess();
        }
    }

    @Test
    void revokingWaitsForACommandWhoseDataIsShared() throws Exception {
        try (TestTarget target = target();
                TestHost host = target.host()) {
            MappedByteBuffer mapped = shared(host.queue());
            mapped.put(0, TestTarget.random(3, PIECE));
            Stall stall = new Stall(Access.WRITE);
            target.hook(stall);
            for (int index = 0; index < 4; index++) {
                ByteBuffer entry = host.block(IoOpcode.WRITE, index * 256L, 256);
                SglDescriptor.encodeShared(entry, SubmissionEntry.SGL, 0, PIECE);
                host.queue().startPlain(entry);
            }
            stall.awaitStalled();
            Future<?> revoked =
                    threads.submit(
                            () -> {
                                target.target().revoke(host.nqn());
                                return null;
                            });
            host.queue().connection().readToEnd();
            assertThat(revoked.isDone()).isFalse();
            assertThat(target.target().statistics().sharedMemory())
                    .as("kept while the medium reads from it")
                    .isEqualTo(QUEUE_BYTES);
            stall.release();
            revoked.get(60, TimeUnit.SECONDS);
            byte[] after = target.fileBytes(0, (int) TestTarget.BYTES);
            mapped.put(0, TestTarget.random(4, PIECE));
            await().until(() -> target.target().statistics().sharedMemory() == 0);
            assertThat(target.fileBytes(0, after.length)).isEqualTo(after);
        }
    }

    private static NvmeAddress address(TestTarget target) throws IOException {
        return new NvmeAddress("127.0.0.1", target.address().getPort(), TestHost.SUBSYSTEM);
    }

    /** Many threads write and read back pieces of all sizes, more at a time than there is room. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatIsWrittenIsReadWhicheverWayItGoes(int queues) throws Exception {
        InitiatorConfig config = InitiatorConfig.of(UUID.randomUUID()).withQueues(queues, 64, 4096);
        try (TestTarget target = target();
                NvmeInitiator initiator = new NvmeInitiator(config);
                NvmeController controller = initiator.connect(address(target))) {
            NvmeNamespace namespace = controller.namespace(1);
            List<Future<?>> workers = new ArrayList<>();
            int parts = 4;
            long blocks = TestTarget.BYTES / BLOCK / parts;
            for (int part = 0; part < parts; part++) {
                long from = part * blocks;
                workers.add(
                        threads.submit(
                                () -> {
                                    writeAndRead(namespace, from, (int) blocks);
                                    return null;
                                }));
            }
            for (Future<?> each : workers) {
                each.get(120, TimeUnit.SECONDS);
            }
            TargetStatistics counted = target.target().statistics();
            assertThat(counted.sharedMemory()).isEqualTo((long) queues * QUEUE_BYTES);
            assertThat(counted.sharedBytes()).isGreaterThan(TestTarget.BYTES);
        }
    }

    private static void writeAndRead(NvmeNamespace namespace, long from, int blocks)
            throws Exception {
        Random random = new Random(from);
        for (int round = 0; round < 30; round++) {
            List<NvmeFuture<Void>> calls = new ArrayList<>();
            List<ByteBuffer> written = new ArrayList<>();
            List<ByteBuffer> read = new ArrayList<>();
            List<Long> places = new ArrayList<>();
            long at = from;
            while (at < from + blocks) {
                int count = (int) Math.min(from + blocks - at, 1 + random.nextInt(600));
                ByteBuffer data = ByteBuffer.allocateDirect(count * BLOCK);
                data.put(0, TestTarget.random(random.nextLong(), count * BLOCK));
                calls.add(namespace.write(at, data));
                written.add(data);
                places.add(at);
                at += count;
            }
            for (NvmeFuture<Void> each : calls) {
                each.await();
            }
            calls.clear();
            for (int index = 0; index < written.size(); index++) {
                ByteBuffer into = ByteBuffer.allocateDirect(written.get(index).capacity());
                read.add(into);
                calls.add(namespace.read(places.get(index), into));
            }
            for (int index = 0; index < written.size(); index++) {
                calls.get(index).await();
                assertThat(read.get(index)).isEqualTo(written.get(index));
            }
        }
    }

    @Test
    void dataWithDigestsAndOfHostsThatDoNotWantItGoesThroughTheSocket() throws Exception {
        InitiatorConfig config = InitiatorConfig.of(UUID.randomUUID());
        try (TestTarget target = target()) {
            for (InitiatorConfig each :
                    List.of(config.withDigests(false, true), config.withSharedMemory(false))) {
                try (NvmeInitiator initiator = new NvmeInitiator(each);
                        NvmeController controller = initiator.connect(address(target))) {
                    writeAndRead(controller.namespace(1), 0, 1024);
                }
            }
            assertThat(target.target().statistics().sharedBytes()).isZero();
            assertThat(target.target().statistics().sharedMemory()).isZero();
        }
    }

    @Test
    void aTargetThatComesBackSharesMemoryAnew() throws Exception {
        InitiatorConfig config = InitiatorConfig.of(UUID.randomUUID());
        try (TestTarget target = target();
                NvmeInitiator initiator = new NvmeInitiator(config);
                NvmeController controller = initiator.connect(address(target))) {
            NvmeNamespace namespace = controller.namespace(1);
            for (int life = 0; life < 3; life++) {
                writeAndRead(namespace, 0, 1024);
                assertThat(target.target().statistics().sharedBytes()).isPositive();
                target.restart();
                // Notices the loss: what became of a write that meets it, nobody would know.
                namespace.read(0, ByteBuffer.allocateDirect(BLOCK)).await();
            }
            writeAndRead(namespace, 0, 1024);
        }
    }
}
