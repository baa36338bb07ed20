// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.Generation;
import io.crail.storage.segment.Segment;
import io.crail.storage.testing.TestSegments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockTableTest {
    @TempDir Path directory;
    private final List<Long> freed = new ArrayList<>();
    private Segment segment;
    private BlockTable table;
    private long first;

    @BeforeEach
    void makeSegment() throws IOException {
        segment = TestSegments.create(directory, 0, 1 << 20);
        table = new BlockTable(segment);
        first = generation(1);
    }

    private long generation(int counter) {
        return Generation.of(segment.incarnation(), counter);
    }

    @Test
    void aReferenceIsGivenForTheBlocksGenerationOnly() {
        assertThat(table.acquire(3, first)).isTrue();
        assertThat(table.acquire(3, generation(2))).isFalse();
        assertThat(table.acquire(3, Generation.of(segment.incarnation() + 1, 1))).isFalse();
        assertThat(table.acquire(-1, first)).isFalse();
        assertThat(table.acquire(segment.slots(), first)).isFalse();
    }

    @Test
    void anIdleBlockIsFreedAtOnce() {
        assertThat(table.revoke(3, first, freed::add)).isTrue();
        assertThat(freed).containsExactly(generation(2));
        assertThat(table.acquire(3, first)).isFalse();
        assertThat(table.acquire(3, generation(2))).isTrue();
    }

    @Test
    void aBlockInUseIsFreedWithItsLastReference() {
        table.acquire(3, first);
        table.acquire(3, first);
        table.revoke(3, first, freed::add);
        assertThat(segment.generation(3)).isEqualTo(generation(2));
        assertThat(table.acquire(3, first)).isFalse();
        assertThat(table.acquire(3, generation(2))).isFalse();
        table.release(3);
        assertThat(freed).isEmpty();
        assertThat(table.isPending(3, first)).isTrue();
        table.release(3);
        assertThat(freed).containsExactly(generation(2));
        assertThat(table.isPending(3, first)).isFalse();
        assertThat(table.acquire(3, generation(2))).isTrue();
    }

    @Test
    void aRepeatedRevocationJoinsTheOneUnderWay() {
        table.acquire(3, first);
        table.revoke(3, first, freed::add);
        table.revoke(3, first, freed::add);
        assertThat(freed).isEmpty();
        table.release(3);
        assertThat(freed).containsExactly(generation(2), generation(2));
    }

    @Test
    void aRevocationThatHasHappenedIsConfirmed() {
        table.revoke(3, first, freed::add);
        table.revoke(3, first, freed::add);
        assertThat(freed).containsExactly(generation(2), generation(2));
        assertThat(segment.generation(3)).isEqualTo(generation(2));
    }

    @Test
    void aGenerationOfAnotherIncarnationIsAnsweredWithTheWord() {
        table.revoke(3, Generation.of(segment.incarnation() + 1, 9), freed::add);
        assertThat(freed).containsExactly(first);
    }

    @Test
    void aGenerationThatHasNotBeenYetIsNotRevoked() {
        assertThat(table.revoke(3, generation(2), freed::add)).isFalse();
        assertThat(table.revoke(segment.slots(), first, freed::add)).isFalse();
        table.acquire(3, first);
        table.revoke(3, first, freed::add);
        assertThat(table.revoke(3, generation(2), freed::add)).isFalse();
        assertThat(freed).isEmpty();
    }

    @Test
    void theLastCounterRetiresABlock() {
        long lastButOne = generation(0xFFFF_FFFE);
        segment.setGeneration(3, lastButOne);
        table.revoke(3, lastButOne, freed::add);
        assertThat(freed).containsExactly(generation(0xFFFF_FFFF));
        table.revoke(3, generation(0xFFFF_FFFF), freed::add);
        assertThat(segment.generation(3)).isEqualTo(generation(0xFFFF_FFFF));
        assertThat(Generation.incarnation(segment.generation(3))).isEqualTo(segment.incarnation());
    }

    @Test
    void countersShowTheOldOneWhileARevocationIsUnderWay() {
        table.acquire(3, first);
        table.revoke(3, first, freed::add);
        table.revoke(4, first, freed::add);
        assertThat(table.counters()).startsWith(1, 1, 1, 1, 2, 1);
        table.release(3);
        assertThat(table.counters()).startsWith(1, 1, 1, 2, 2, 1);
    }

    @Test
    void blocksDoNotDisturbEachOther() {
        table.acquire(3, first);
        table.revoke(4, first, freed::add);
        assertThat(freed).containsExactly(generation(2));
        assertThat(table.acquire(3, first)).isTrue();
    }
}
