// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.target.backing.DirectIo;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.target.fence.CommandGuard;
import io.crail.nvmf.target.host.Completion;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.target.subsystem.HostAdmission;
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
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads by io_uring that bring a unit from elsewhere along. Skipped where the kernel or the file
 * system of temporary files allows none.
 */
class RingRiderTest {
    private static final int BYTES = 8 << 20;
    private static final int UNIT = 4096;
    private static final int UNITS = BYTES / UNIT;
    private static final int PIECE = 1 << 20;

    /** No host may have it along. */
    private static final long FORBIDDEN = 77L;

    @TempDir private Path directory;
    private final Guard guard = new Guard();
    private Path memory;
    private Path file;
    private byte[] content;
    private NvmeTarget target;
    private TestHost host;
    private MappedByteBuffer shared;

    /** Counts who is at the medium, and who ended there by the ring. */
    private static final class Guard implements CommandGuard {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger byRing = new AtomicInteger();

        @Override
        public long enter(
                ByteBuffer entry, boolean isWrite, long position, int length, long rider) {
            if (rider == FORBIDDEN * UNIT) {
                return CommandGuard.refuse(StatusCode.ACCESS_DENIED.doNotRetry());
            }
            return inside.incrementAndGet();
        }

        @Override
        public void exit(long hold) {
            inside.decrementAndGet();
            if (StackWalker.getInstance().walk(frames -> frames.anyMatch(Guard::isRing))) {
                byRing.incrementAndGet();
            }
        }

        private static boolean isRing(StackWalker.StackFrame frame) {
            return frame.getClassName().endsWith(".RingReads");
        }
    }

    @BeforeEach
    void start() throws IOException {
        file = directory.resolve("medium");
        content = TestTarget.random(7, BYTES);
        Files.write(file, content);
        Path parent = Path.of("/dev/shm");
        assumeThat(parent).isDirectory();
        memory = Files.createTempDirectory(parent, "crail-test-");
        NamespaceConfig namespace =
                NamespaceConfig.of(file, 0)
                        .withBlockBytes(UNIT)
                        .withDirect(DirectIo.PREFERRED)
                        .withAllocation(Allocation.SPARSE);
        target =
                NvmeTarget.start(
                        TargetConfig.builder(TestHost.SUBSYSTEM, namespace)
                                .anyHost(true)
                                .sharedMemory(
                                        new SharedMemoryConfig(memory, UUID.randomUUID(), 64 << 20))
                                .build(),
                        new TargetSurroundings(
                                System::nanoTime, MediumHook.NONE, guard, HostAdmission.ALL));
        assumeThat(target.hasRing()).isTrue();
        host = TestHost.withQueue(target.address(), UUID.randomUUID(), TestHost.Options.PLAIN);
        shared = share(host.queue());
    }

    @AfterEach
    void stop() throws IOException {
        if (host != null) {
            host.close();
        }
        if (target != null) {
            target.close();
        }
        if (memory != null) {
            Files.delete(memory);
        }
    }

    private static MappedByteBuffer share(TestQueue queue) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        SharedMemoryCommand.encodeShare(entry, 0, queue.nextId());
        ByteBuffer answer =
                queue.read(entry, SharedMemoryCommand.ANSWER_SIZE).expectSuccess().bytes();
        MappedByteBuffer mapped;
        try (FileChannel channel =
                FileChannel.open(
                        Path.of(SharedMemoryCommand.path(answer, 0)),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            mapped =
                    channel.map(
                            FileChannel.MapMode.READ_WRITE,
                            0,
                            SharedMemoryCommand.bytes(answer, 0));
        }
        ByteBuffer use = TestQueue.entry();
        SharedMemoryCommand.encodeUse(use, 0, queue.nextId(), true);
        queue.plain(use).expectSuccess();
        return mapped;
    }

    private Completion read(long block, int blocks, int offset, long rider) throws IOException {
        ByteBuffer entry = host.block(IoOpcode.READ, block, blocks);
        SglDescriptor.encodeShared(entry, SubmissionEntry.SGL, offset, blocks * UNIT);
        RiderField.encode(entry, 0, rider);
        return host.queue().plain(entry);
    }

    private byte[] at(int offset, int length) {
        byte[] bytes = new byte[length];
        shared.get(offset, bytes);
        return bytes;
    }

    private byte[] stored(long block, int blocks) {
        int from = (int) block * UNIT;
        return Arrays.copyOfRange(content, from, from + blocks * UNIT);
    }

    @Test
    void dataAndUnitArriveBoth() throws Exception {
        Random random = new Random(11);
        int rounds = 300;
        for (int i = 0; i < rounds; i++) {
            int blocks = i % 7 == 0 ? PIECE / UNIT : 1 + random.nextInt(20);
            int block = random.nextInt(UNITS - blocks);
            int rider = random.nextInt(UNITS);
            int offset = random.nextInt(4) * 2 * PIECE;
            if (rider == FORBIDDEN) {
                continue;
            }
            read(block, blocks, offset, rider).expectSuccess();
            assertThat(at(offset, blocks * UNIT)).isEqualTo(stored(block, blocks));
            assertThat(at(offset + blocks * UNIT, UNIT)).isEqualTo(stored(rider, 1));
        }
        assertThat(guard.byRing.get()).isGreaterThan(rounds - 5);
        assertThat(guard.inside).hasValue(0);
    }

    @Test
    void theGuardIsAskedForTheUnitToo() throws Exception {
        shared.put(0, new byte[3 * UNIT]);
        read(3, 2, 0, FORBIDDEN).expectFinal(StatusCode.ACCESS_DENIED);
        assertThat(at(0, 3 * UNIT)).containsOnly(0);
        assertThat(guard.inside).hasValue(0);
        read(3, 2, 0, FORBIDDEN + 1).expectSuccess();
    }

    @Test
    void aUnitThatCannotBeReadFailsTheCommand() throws Exception {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(BYTES / 2);
        }
        read(3, 2, 0, UNITS - 1L).expect(StatusCode.UNRECOVERED_READ_ERROR);
        read(UNITS - 2L, 2, 0, 3).expect(StatusCode.UNRECOVERED_READ_ERROR);
        read(3, 2, 0, UNITS / 2 - 1L).expectSuccess();
        assertThat(at(2 * UNIT, UNIT)).isEqualTo(stored(UNITS / 2 - 1L, 1));
        assertThat(guard.inside).hasValue(0);
    }
}
