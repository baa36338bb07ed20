// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.BlockReference;
import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinTableTest {
    private static final int SLOTS = 100;

    @TempDir Path directory;
    private ServerMemory memory;
    private SessionFile session;
    private ServerMemory.Pins pins;
    private MappedSegment segment;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    PinTableTest() {}

    @BeforeEach
    void open() throws IOException {
        memory = ServerMemory.create(directory);
        session = SessionFile.create(directory, ServerMemory.CLUSTER, 9, 1, SLOTS, () -> {});
        pins = memory.pins(session.name());
        segment =
                SegmentMappings.acquire(
                        ServerMemory.CLUSTER, memory.attachReply(), ServerMemory.SEGMENT);
    }

    @AfterEach
    void close() {
        SegmentMappings.release(segment);
        session.discard();
    }

    private int pin(BlockReference block, boolean write) {
        return session.pin(segment, block.record(), block.generation(), write);
    }

    @Test
    void aPinIsSeenByTheServerUntilItIsGone() {
        BlockReference block = memory.reference(7);
        int slot = pin(block, true);
        assertThat(slot).isZero();
        assertThat(pins.holds(block)).isTrue();
        assertThat(pins.holds(memory.reference(8))).isFalse();
        assertThat(pins.block(slot))
                .isEqualTo(SessionLayout.blockWord(block.segment(), block.record(), true));
        assertThat(pins.generation(slot)).isEqualTo(block.generation());
        session.unpin(slot);
        assertThat(pins.holds(block)).isFalse();
        assertThat(pins.highWater()).isEqualTo(1);
    }

    @Test
    void aBlockOfAnotherGenerationIsNotPinned() {
        BlockReference old = memory.reference(7);
        memory.setGeneration(old.record(), old.generation() + 1);
        assertThat(pin(old, false)).isEqualTo(PinTable.STALE);
        assertThat(pins.count()).isZero();
        assertThat(pin(memory.reference(7), false)).isNotNegative();
    }

    @Test
    void theLowestFreeSlotIsTakenAndTheMarkRisesOnlyAsNeeded() {
        BlockReference block = memory.reference(3);
        for (int i = 0; i < 5; i++) {
            assertThat(pin(block, false)).isEqualTo(i);
        }
        session.unpin(1);
        session.unpin(3);
        assertThat(pin(block, false)).isEqualTo(1);
        assertThat(pin(block, false)).isEqualTo(3);
        assertThat(pin(block, false)).isEqualTo(5);
        assertThat(pins.highWater()).isEqualTo(6);
        assertThat(pins.count()).isEqualTo(6);
    }

    @Test
    void whenAllSlotsAreTakenThereIsNone() {
        BlockReference block = memory.reference(3);
        Set<Integer> slots = new HashSet<>();
        for (int i = 0; i < SLOTS; i++) {
            assertThat(session.hasFreeSlot()).isTrue();
            slots.add(pin(block, false));
        }
        assertThat(slots).hasSize(SLOTS);
        assertThat(session.hasFreeSlot()).isFalse();
        assertThat(pin(block, false)).isEqualTo(PinTable.NO_SLOT);
        session.unpin(99);
        assertThat(pin(block, false)).isEqualTo(99);
    }

    @Test
    void nothingIsPinnedInAFileThatHasEndedAndTheLastPinTakesTheLockWithIt() {
        BlockReference block = memory.reference(3);
        int slot = pin(block, false);
        assertThat(session.end()).isFalse();
        assertThat(pin(block, false)).isEqualTo(PinTable.STALE);
        assertThat(session.isReleased()).isFalse();
        session.unpin(slot);
        assertThat(session.isReleased()).isTrue();
    }

    @Test
    void noSlotHasTwoOwnersHoweverManyThreadsPin() throws Exception {
        int threads = 8;
        int rounds = 20_000;
        AtomicIntegerArray owners = new AtomicIntegerArray(SLOTS);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                BlockReference block = memory.reference(t);
                running.add(
                        executor.submit(
                                () -> {
                                    for (int i = 0; i < rounds; i++) {
                                        int slot = pin(block, (i & 1) == 0);
                                        assertThat(slot).isNotNegative();
                                        assertThat(owners.incrementAndGet(slot)).isEqualTo(1);
                                        assertThat(pins.block(slot))
                                                .isEqualTo(
                                                        SessionLayout.blockWord(
                                                                block.segment(),
                                                                block.record(),
                                                                (i & 1) == 0));
                                        owners.decrementAndGet(slot);
                                        session.unpin(slot);
                                    }
                                }));
            }
            for (Future<?> each : running) {
                each.get(1, TimeUnit.MINUTES);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(pins.count()).isZero();
        assertThat(pins.highWater()).isBetween(1, threads);
        assertThat(session.end()).isTrue();
    }
}
