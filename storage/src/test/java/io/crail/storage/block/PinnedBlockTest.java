// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.Generation;
import io.crail.storage.segment.Segment;
import io.crail.storage.session.Sessions;
import io.crail.storage.spi.FreedListener;
import io.crail.storage.testing.TestSegments;
import io.crail.storage.testing.TestSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that processes of this host hold by a pin. */
class PinnedBlockTest {
    private static final String NAME = "session-9-1";
    private static final int SLOTS = 4;
    private static final int USERS = 3;
    private static final int ROUNDS = 5_000;

    @TempDir Path directory;
    private Segment segment;
    private Sessions sessions;
    private TestSession client;
    private BlockTable table;

    @BeforeEach
    void open() throws IOException {
        segment = TestSegments.create(directory, 0, 1 << 20);
        sessions = Sessions.open(directory);
        client = new TestSession(directory, NAME, 9, TestSegments.CLUSTER, 64);
        sessions.attach(NAME, 9, TestSegments.CLUSTER);
        table = new BlockTable(segment, sessions);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        sessions.close();
    }

    @Test
    void aPinnedBlockIsFreedWhenItsPinIsGone() {
        long generation = segment.generation(5);
        client.pin(0, 0, 5, generation);
        List<Long> freed = new ArrayList<>();
        assertThat(table.revoke(5, generation, freed::add)).isTrue();
        table.recheck();
        assertThat(freed).isEmpty();
        assertThat(table.quarantined()).isEqualTo(1);
        assertThat(heldAfter(generation)).isTrue();
        assertThat(table.acquire(5, generation)).isFalse();
        assertThat(table.counters()[5]).isEqualTo(Generation.counter(generation));
        client.unpin(0);
        table.recheck();
        assertThat(freed).containsExactly(generation + 1);
        assertThat(heldAfter(generation)).isFalse();
        assertThat(table.quarantined()).isZero();
        assertThat(table.counters()[5]).isEqualTo(Generation.counter(generation + 1));
        assertThat(table.acquire(5, generation + 1)).isTrue();
    }

    /** Whether a repeated revocation is told that the block is held. */
    private boolean heldAfter(long generation) {
        AtomicBoolean held = new AtomicBoolean();
        table.revoke(
                5,
                generation,
                new FreedListener() {
                    @Override
                    public void freed(long next) {}

                    @Override
                    public void held() {
                        held.set(true);
                    }
                });
        return held.get();
    }

    @Test
    void aReferenceAndAPinAreBothWaitedFor() {
        long generation = segment.generation(5);
        assertThat(table.acquire(5, generation)).isTrue();
        client.pin(0, 0, 5, generation);
        List<Long> freed = new ArrayList<>();
        table.revoke(5, generation, freed::add);
        client.unpin(0);
        table.recheck();
        assertThat(freed).isEmpty();
        table.release(5);
        assertThat(freed).containsExactly(generation + 1);
    }

    @Test
    void aPinUnderAnotherGenerationHoldsUpNothing() {
        long generation = segment.generation(5);
        client.pin(0, 0, 5, generation + 1);
        client.pin(1, 0, 6, generation);
        List<Long> freed = new ArrayList<>();
        table.revoke(5, generation, freed::add);
        assertThat(freed).containsExactly(generation + 1);
    }

    @Test
    void aRevocationThatWaitedForAPinWaitsOnAfterARestart() throws IOException {
        long generation = segment.generation(5);
        client.pin(0, 0, 5, generation);
        client.pin(1, 0, 6, segment.generation(6));
        client.pin(2, 0, -1, 77);
        table.revoke(5, generation, unused -> {});
        sessions.close();
        sessions = Sessions.open(directory);
        BlockTable restarted = new BlockTable(segment, sessions);
        assertThat(restarted.counters()[5]).isEqualTo(Generation.counter(generation));
        assertThat(restarted.quarantined()).isEqualTo(1);
        List<Long> freed = new ArrayList<>();
        restarted.revoke(5, generation, freed::add);
        restarted.recheck();
        assertThat(freed).isEmpty();
        assertThat(restarted.acquire(5, generation + 1)).isFalse();
        client.unpin(0);
        restarted.recheck();
        assertThat(freed).containsExactly(generation + 1);
        assertThat(restarted.acquire(6, segment.generation(6))).isTrue();
    }

    @Test
    void theDeathOfTheProcessEndsItsPins() throws IOException {
        long generation = segment.generation(5);
        client.pin(0, 0, 5, generation);
        List<Long> freed = new ArrayList<>();
        table.revoke(5, generation, freed::add);
        sessions.disconnected(NAME);
        client.unlock();
        assertThat(sessions.sweep()).isTrue();
        table.recheck();
        assertThat(freed).containsExactly(generation + 1);
    }

    /**
     * Users play processes that pin and look at the generation word themselves; owners play the
     * namenode. While a user holds a valid pin of a generation, its owner must not have been told
     * that it is free.
     */
    @Test
    void nobodyHoldsAPinOfABlockThatWasFreed() throws Exception {
        AtomicLongArray told = new AtomicLongArray(SLOTS);
        for (int slot = 0; slot < SLOTS; slot++) {
            told.set(slot, segment.generation(slot));
        }
        AtomicBoolean done = new AtomicBoolean();
        LongAdder held = new LongAdder();
        ExecutorService threads = Executors.newFixedThreadPool(USERS + SLOTS);
        try {
            List<Future<Void>> users = new ArrayList<>();
            for (int user = 0; user < USERS; user++) {
                users.add(threads.submit(user(user, told, done, held)));
            }
            List<Future<Void>> owners = new ArrayList<>();
            for (int slot = 0; slot < SLOTS; slot++) {
                owners.add(threads.submit(owner(slot, told)));
            }
            for (Future<Void> owner : owners) {
                owner.get(50, TimeUnit.SECONDS);
            }
            done.set(true);
            for (Future<Void> user : users) {
                user.get(50, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(held.sum()).isPositive();
        assertThat(table.quarantined()).isZero();
    }

    private Callable<Void> user(int pin, AtomicLongArray told, AtomicBoolean done, LongAdder held) {
        Random random = new Random(pin);
        return () -> {
            while (!done.get()) {
                int slot = random.nextInt(SLOTS);
                long generation = told.get(slot) - random.nextInt(2);
                client.pin(pin, 0, slot, generation);
                if (segment.generation(slot) == generation) {
                    for (int look = random.nextInt(50); look >= 0; look--) {
                        if (told.get(slot) > generation) {
                            throw new AssertionError("holds a block that was freed");
                        }
                    }
                    held.increment();
                }
                client.unpin(pin);
            }
            return null;
        };
    }

    private Callable<Void> owner(int slot, AtomicLongArray told) {
        return () -> {
            for (int round = 0; round < ROUNDS; round++) {
                long generation = told.get(slot);
                AtomicLong freed = new AtomicLong();
                table.revoke(
                        slot,
                        generation,
                        next -> {
                            told.set(slot, next);
                            freed.set(next);
                        });
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (freed.get() == 0) {
                    if (System.nanoTime() > end) {
                        throw new AssertionError("revocation " + round + " of " + slot + " hangs");
                    }
                    table.recheck();
                    Thread.onSpinWait();
                }
            }
            return null;
        };
    }
}
