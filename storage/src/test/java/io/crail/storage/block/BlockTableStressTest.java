// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.Generation;
import io.crail.storage.segment.Segment;
import io.crail.storage.testing.TestSegments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks the race between the check of a request and a concurrent revocation. Owners play the
 * namenode: they grant a block, let it be used, revoke it, and from the moment it is freed they own
 * it alone. Users play event loops with references of any age. While a user holds a reference of
 * generation g, the owner must not have been told that g is freed.
 */
class BlockTableStressTest {
    private static final int SLOTS = 4;
    private static final int USERS = 6;
    private static final int ROUNDS = 20_000;

    @TempDir Path directory;

    @Test
    void nobodyHoldsABlockAfterItWasFreed() throws Exception {
        Segment segment = TestSegments.create(directory, 0, 1 << 20);
        BlockTable table = new BlockTable(segment);
        // What the owner has been told: the generation that the block may be granted with.
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
                users.add(threads.submit(user(table, told, done, held, user)));
            }
            List<Future<Void>> owners = new ArrayList<>();
            for (int slot = 0; slot < SLOTS; slot++) {
                owners.add(threads.submit(owner(table, told, slot)));
            }
            awaitAll(owners);
            done.set(true);
            awaitAll(users);
        } finally {
            threads.shutdownNow();
        }
        assertThat(held.sum()).isPositive();
        for (int slot = 0; slot < SLOTS; slot++) {
            assertThat(Generation.counter(segment.generation(slot))).isEqualTo(ROUNDS + 1);
            assertThat(table.acquire(slot, segment.generation(slot))).isTrue();
        }
    }

    private static Callable<Void> user(
            BlockTable table, AtomicLongArray told, AtomicBoolean done, LongAdder held, int seed) {
        Random random = new Random(seed);
        return () -> {
            while (!done.get()) {
                int slot = random.nextInt(SLOTS);
                long generation = told.get(slot) - random.nextInt(2);
                if (table.acquire(slot, generation)) {
                    for (int look = random.nextInt(50); look >= 0; look--) {
                        if (told.get(slot) != generation) {
                            throw new AssertionError(
                                    "holds a block that was freed: " + told.get(slot));
                        }
                    }
                    held.increment();
                    table.release(slot);
                }
            }
            return null;
        };
    }

    private static Callable<Void> owner(BlockTable table, AtomicLongArray told, int slot) {
        return () -> {
            Semaphore freed = new Semaphore(0);
            for (int round = 0; round < ROUNDS; round++) {
                long generation = told.get(slot);
                boolean twice = round % 3 == 0;
                table.revoke(slot, generation, next -> freed(told, slot, next, freed));
                if (twice) {
                    table.revoke(slot, generation, next -> freed(told, slot, next, freed));
                }
                if (!freed.tryAcquire(twice ? 2 : 1, 20, TimeUnit.SECONDS)) {
                    throw new AssertionError("revocation " + round + " of " + slot + " hangs");
                }
                if (told.get(slot) != generation + 1) {
                    throw new AssertionError("freed with a wrong generation");
                }
            }
            return null;
        };
    }

    private static void freed(AtomicLongArray told, int slot, long next, Semaphore freed) {
        told.set(slot, next);
        freed.release();
    }

    private static void awaitAll(List<Future<Void>> futures)
            throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
        for (Future<Void> future : futures) {
            future.get(50, TimeUnit.SECONDS);
        }
    }
}
