// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.layout.FlashLayout;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Generation;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.BlockWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may be destroyed is what one generation of a block has, and nothing else. */
class RevokedLengthsTest {
    private static final FlashLayout LAYOUT = FlashLayout.ofData(4 << 20);
    private static final int RECORD = 256;
    private static final int LONG = 1 << 20;
    private static final int SHORT = 64 << 10;

    /** Words that are kept when the test says so. */
    private static final class Words implements BlockWords {
        final long[] words = new long[LAYOUT.slots() * FlashLayout.UNITS_PER_SLOT];
        final List<Runnable> waiting = new ArrayList<>();

        Words() {
            Arrays.fill(words, Generation.of(7, Generation.FIRST_COUNTER));
        }

        @Override
        public int number() {
            return 0;
        }

        @Override
        public int incarnation() {
            return 7;
        }

        @Override
        public long dataBytes() {
            return LAYOUT.dataBytes();
        }

        @Override
        public int slots() {
            return words.length;
        }

        @Override
        public long generation(int slot) {
            return words[slot];
        }

        @Override
        public void setGeneration(int slot, long generation) {
            words[slot] = generation;
        }

        @Override
        public int checksum(int slot) {
            return 0;
        }

        @Override
        public void whenKept(int slot, Runnable then) {
            waiting.add(then);
        }
    }

    private final Words words = new Words();
    private final BlockTable table = new BlockTable(words);
    private final RevokedLengths lengths = new RevokedLengths(LAYOUT);

    private static long generation(int counter) {
        return Generation.of(7, counter);
    }

    private void revoke(int counter, int length) {
        lengths.note(table, RECORD, generation(counter), length);
        table.revoke(RECORD, generation(counter), freed -> {});
    }

    private void finish() {
        words.waiting.forEach(Runnable::run);
        words.waiting.clear();
    }

    @Test
    void isKnownFromTheRevocationUntilItIsForgotten() {
        assertThat(lengths.of(RECORD, generation(2))).isZero();
        revoke(1, LONG);
        assertThat(lengths.of(RECORD, generation(2))).isEqualTo(LONG);
        lengths.forget(RECORD, generation(3));
        assertThat(lengths.size()).isEqualTo(1);
        lengths.forget(RECORD, generation(2));
        assertThat(lengths.size()).isZero();
    }

    @Test
    void aRevocationThatComesAgainWhenTheBlockIsAnotherOneSaysNothing() {
        revoke(1, LONG);
        finish();
        lengths.forget(RECORD, generation(2));
        revoke(1, LONG);
        assertThat(lengths.size()).isZero();
        revoke(2, SHORT);
        revoke(1, LONG);
        assertThat(lengths.of(RECORD, generation(3))).isEqualTo(SHORT);
    }

    @Test
    void whatWasLeftOfAnotherGenerationDoesNotCount() {
        revoke(1, LONG);
        finish();
        assertThat(lengths.of(RECORD, generation(3))).isZero();
        revoke(2, SHORT);
        assertThat(lengths.of(RECORD, generation(3))).isEqualTo(SHORT);
    }

    @Test
    void ofSeveralTheShortestCountsAndASuspicionForNone() {
        revoke(1, SHORT);
        revoke(1, LONG);
        assertThat(lengths.of(RECORD, generation(2))).isEqualTo(SHORT);
        revoke(1, BlockGeometry.MIN_BLOCK);
        revoke(1, LONG);
        assertThat(lengths.of(RECORD, generation(2))).isZero();
    }

    @Test
    void whatCannotBeABlockDoesNotCount() {
        revoke(1, 3 * SHORT);
        assertThat(lengths.of(RECORD, generation(2))).isZero();
        lengths.note(table, -1, generation(1), SHORT);
        lengths.note(table, words.slots(), generation(1), SHORT);
        assertThat(lengths.size()).isEqualTo(1);
    }
}
