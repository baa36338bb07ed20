// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.BlockLoan;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockReference;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks are freed, scribbled on and granted again while they are read, viewed and written. Every
 * byte tells to which generation it belongs.
 */
class RecycledBlocksTest {
    private static final Logger LOG = LoggerFactory.getLogger(RecycledBlocksTest.class);
    private static final int BLOCKS = 3;
    private static final int ROUNDS = 20_000;

    /** Enough on a busy machine. */
    private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int CHUNK = 4096;

    @TempDir Path directory;
    private ServerMemory memory;
    private SessionFile session;
    private ServerMemory.Pins pins;
    private MappedSegment segment;

    /** What the namenode would hand out. */
    private final AtomicLongArray granted = new AtomicLongArray(BLOCKS);

    private final AtomicBoolean done = new AtomicBoolean();
    private final LongAdder good = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder waits = new LongAdder();

    @SuppressWarnings("NullAway.Init") // Set before each test.
    RecycledBlocksTest() {}

    @BeforeEach
    void open() throws IOException {
        memory = ServerMemory.create(directory);
        session = SessionFile.create(directory, ServerMemory.CLUSTER, 9, 1, 64, () -> {});
        pins = memory.pins(session.name());
        segment =
                SegmentMappings.acquire(
                        ServerMemory.CLUSTER, memory.attachReply(), ServerMemory.SEGMENT);
        for (int block = 0; block < BLOCKS; block++) {
            granted.set(block, memory.reference(block).generation());
        }
    }

    @AfterEach
    void close() {
        SegmentMappings.release(segment);
        session.discard();
    }

    @Test
    void copyingReadersNeverGetBytesOfAnotherGeneration() throws Exception {
        run(this::read, this::read, this::read);
        assertThat(pins.highWater()).isZero();
    }

    @Test
    void viewsShowTheirGenerationUntilTheyAreClosed() throws Exception {
        run(this::view, this::viewAtOnce, this::viewAtOnce);
        assertThat(waits.sum()).isPositive();
    }

    @Test
    void writersLeaveNothingInBlocksThatWereTakenFromThem() throws Exception {
        run(this::write, this::write, this::write);
    }

    @Test
    void allAtATime() throws Exception {
        run(this::read, this::view, this::write, this::write);
    }

    /** One access with a reference that may be stale. */
    private interface Access {
        void with(BlockReference block, Random random);
    }

    private void run(Access... accesses) throws Exception {
        long seed = System.nanoTime();
        LOG.info("seed {}", seed);
        ExecutorService threads = Executors.newFixedThreadPool(accesses.length + 1);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < accesses.length; i++) {
                running.add(threads.submit(client(accesses[i], new Random(seed + i))));
            }
            Future<?> server = threads.submit(() -> recycle(new Random(seed - 1)));
            try {
                server.get(2, TimeUnit.MINUTES);
            } finally {
                done.set(true);
            }
            for (Future<?> client : running) {
                client.get(1, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        LOG.info("{} good, {} stale, {} quarantined", good, stale, waits);
        assertThat(good.sum()).isGreaterThan(100);
        assertThat(stale.sum()).isPositive();
        assertThat(pins.count()).isZero();
        for (int block = 0; block < BLOCKS; block++) {
            assertThat(memory.isIntact(memory.reference(block))).isTrue();
        }
    }

    private Callable<Void> client(Access access, Random random) {
        return () -> {
            while (!done.get()) {
                int block = random.nextInt(BLOCKS);
                long generation = granted.get(block);
                if (random.nextInt(4) == 0) {
                    pause(); // The reference grows old.
                }
                access.with(ServerMemory.reference(block, generation), random);
            }
            return null;
        };
    }

    /** The server: revoke, wait for pins, give to another owner, again and again. */
    private void recycle(Random random) {
        long start = System.nanoTime();
        for (int round = 0; round < ROUNDS; round++) {
            if (System.nanoTime() - start > ENOUGH_NANOS) {
                return;
            }
            int block = random.nextInt(BLOCKS);
            BlockReference old = memory.reference(block);
            memory.setGeneration(old.record(), old.generation() + 1);
            VarHandle.fullFence();
            if (pins.holds(old)) {
                waits.increment();
                while (pins.holds(old)) {
                    pause();
                }
            }
            // Free. What was written under the old generation is complete, and nothing else is.
            assertThat(memory.isIntact(old)).as("round %d: %s", round, old).isTrue();
            memory.scribble(old, random.nextLong());
            BlockReference next = memory.reference(block);
            memory.fill(next);
            granted.set(block, next.generation());
            if (random.nextInt(8) == 0) {
                pause();
            }
        }
    }

    private void read(BlockReference block, Random random) {
        int from = random.nextInt(ServerMemory.SLOTS_PER_BLOCK) * CHUNK;
        int length = (1 + random.nextInt((ServerMemory.BLOCK - from) / CHUNK)) * CHUNK;
        ByteBuffer target = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        Transfers.Reading reading = new Transfers.Reading(block, from, target, true);
        assertThat(new Job(reading, job -> {}).run(segment, session)).isTrue();
        int[] stored = outcome(reading.outcome);
        if (stored.length > 0) {
            check(block, target);
            for (int i = 0; i < stored.length; i++) {
                assertThat(stored[i]).isEqualTo(ServerMemory.checksums(block)[from / CHUNK + i]);
            }
        }
    }

    private void view(BlockReference block, Random random) {
        Transfers.Borrowing borrowing = new Transfers.Borrowing(block, 0, ServerMemory.BLOCK, true);
        assertThat(new Job(borrowing, job -> {}).run(segment, session)).isTrue();
        try (BlockLoan loan = outcomeOr(borrowing.outcome)) {
            if (loan == null) {
                return;
            }
            ByteBuffer bytes = loan.data().order(ByteOrder.LITTLE_ENDIAN);
            for (int look = random.nextInt(3); look >= 0; look--) {
                check(block, bytes);
                pause();
            }
            assertThat(loan.storedChecksums()).isEqualTo(ServerMemory.checksums(block));
        }
    }

    private void viewAtOnce(BlockReference block, Random random) {
        try (BlockLoan loan =
                PinnedLoan.now(segment, session, block, 0, ServerMemory.BLOCK, true)) {
            if (loan == null) {
                stale.increment();
                return;
            }
            good.increment();
            ByteBuffer bytes = loan.data().order(ByteOrder.LITTLE_ENDIAN);
            for (int look = random.nextInt(3); look >= 0; look--) {
                check(block, bytes);
                pause();
            }
            assertThat(loan.storedChecksums()).isEqualTo(ServerMemory.checksums(block));
        }
    }

    private void write(BlockReference block, Random random) {
        int from = random.nextInt(ServerMemory.SLOTS_PER_BLOCK) * CHUNK;
        ByteBuffer content = ServerMemory.content(block).slice(from, CHUNK);
        int[] checksums = {ServerMemory.checksums(block)[from / CHUNK]};
        Transfers.Writing writing = new Transfers.Writing(block, from, content, checksums);
        assertThat(new Job(writing, job -> {}).run(segment, session)).isTrue();
        outcome(writing.outcome);
    }

    /** Lets others overtake; nothing waits for anything here. */
    private static void pause() {
        LockSupport.parkNanos(1);
    }

    private static void check(BlockReference block, ByteBuffer bytes) {
        long expected = ServerMemory.word(block);
        for (int at = 0; at < bytes.limit(); at += 8) {
            if (bytes.getLong(at) != expected) {
                throw new AssertionError(block + ": other bytes at " + at);
            }
        }
    }

    private int[] outcome(CompletableFuture<int[]> outcome) {
        int[] value = outcomeOr(outcome);
        return value == null ? new int[0] : value;
    }

    /** The outcome, or null if the reference was stale. */
    private <T> @Nullable T outcomeOr(CompletableFuture<T> outcome) {
        try {
            T value = outcome.orTimeout(60, TimeUnit.SECONDS).join();
            good.increment();
            return value;
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(StaleReferenceException.class);
            stale.increment();
            return null;
        }
    }
}
