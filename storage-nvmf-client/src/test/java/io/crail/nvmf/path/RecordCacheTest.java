// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.BlockReference;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What is kept of records: only what never changes, and nothing damaged for long. */
class RecordCacheTest {
    private static final int CHUNK = 4096;
    private final RecordCache cache = new RecordCache(4);

    private static BlockReference block(int slab, long generation) {
        return new BlockReference(1, 0, slab << 20, 1 << 20, 256 * slab, generation, 0, 1);
    }

    private static final BlockReference BLOCK = block(0, 7);

    private static int[] sums(int first) {
        int[] all = new int[256];
        Arrays.setAll(all, i -> first + i);
        return all;
    }

    @Test
    void whatLiesBeforeAChunkThatWasAskedForIsKnownToo() {
        assertThat(cache.find(BLOCK, 5 * CHUNK, CHUNK)).isNull();
        cache.add(BLOCK, 5 * CHUNK, CHUNK, sums(100));
        assertThat(cache.find(BLOCK, 2 * CHUNK, 2 * CHUNK)).containsExactly(102, 103);
        assertThat(cache.find(BLOCK, 0, 6 * CHUNK)).hasSize(6).endsWith(105);
    }

    @Test
    void whatLiesBehindItIsNot() {
        cache.add(BLOCK, 5 * CHUNK, CHUNK, sums(100));
        assertThat(cache.find(BLOCK, 6 * CHUNK, CHUNK)).isNull();
        assertThat(cache.find(BLOCK, 0, 7 * CHUNK)).isNull();
    }

    @Test
    void aChunkThatWasAskedForInPartIsNotKept() {
        cache.add(BLOCK, 4 * CHUNK, CHUNK + 10, sums(100));
        assertThat(cache.find(BLOCK, 5 * CHUNK, CHUNK)).isNull();
        assertThat(cache.find(BLOCK, 4 * CHUNK, CHUNK)).containsExactly(104);
    }

    @Test
    void aPartialChunkNeedsNoRecord() {
        assertThat(cache.find(BLOCK, 0, 10)).containsExactly(0);
        cache.add(BLOCK, 0, CHUNK, sums(100));
        assertThat(cache.find(BLOCK, 0, CHUNK + 10)).containsExactly(100, 0);
    }

    @Test
    void anotherGenerationIsAnotherBlock() {
        cache.add(BLOCK, 0, CHUNK, sums(100));
        assertThat(cache.find(block(0, 8), 0, CHUNK)).isNull();
        assertThat(cache.find(block(1, 7), 0, CHUNK)).isNull();
    }

    @Test
    void aQuestionThatIsRepeatedAtOnceIsAnsweredFromTheMediumUntilTwoReadingsAgree() {
        cache.add(BLOCK, 0, CHUNK, sums(999)); // Damaged on its way.
        assertThat(cache.find(BLOCK, 0, CHUNK)).isNull();
        cache.add(BLOCK, 0, CHUNK, sums(100));
        assertThat(cache.find(BLOCK, 0, CHUNK)).isNull();
        cache.add(BLOCK, 0, CHUNK, sums(100));
        for (int i = 0; i < 3; i++) {
            assertThat(cache.find(BLOCK, 0, CHUNK)).containsExactly(100);
        }
    }

    @Test
    void damageThatIsKeptIsFoundByTheSecondQuestion() {
        cache.add(BLOCK, 3 * CHUNK, CHUNK, sums(999));
        assertThat(cache.find(BLOCK, 0, CHUNK)).containsExactly(999);
        assertThat(cache.find(BLOCK, 0, CHUNK)).isNull();
    }

    @Test
    void theLeastRecentlyUsedBlockGoesFirst() {
        for (int slab = 0; slab < 4; slab++) {
            cache.add(block(slab, 7), 0, 2 * CHUNK, sums(slab));
        }
        assertThat(cache.find(block(0, 7), 0, CHUNK)).isNotNull();
        cache.add(block(9, 7), 0, CHUNK, sums(9));
        assertThat(cache.size()).isEqualTo(4);
        assertThat(cache.find(block(0, 7), CHUNK, CHUNK)).isNotNull();
        assertThat(cache.find(block(1, 7), 0, CHUNK)).isNull();
    }
}
