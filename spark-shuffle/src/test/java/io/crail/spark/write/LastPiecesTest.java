// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of the last pieces of a map output get blocks. */
class LastPiecesTest {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    private static boolean[] continued(int pieces) {
        boolean[] all = new boolean[pieces];
        java.util.Arrays.fill(all, true);
        return all;
    }

    private static LastPieces.Shared shared(int large, Integer... small) {
        return new LastPieces.Shared(large, List.of(small));
    }

    @Test
    void aPieceThatIsNearlyABlockGetsOne() {
        int[] bytes = {MIB, 896 * KIB, 896 * KIB - 4096, 100 * KIB, 0};
        assertThat(LastPieces.inBlocks(bytes, new boolean[5]))
                .containsExactly(shared(0), shared(1));
    }

    @Test
    void whatIsLeftOfAStreamGoesIntoTheTightestGap() {
        int[] bytes = {800 * KIB, 1000 * KIB, 940 * KIB, 20 * KIB, 80 * KIB};
        assertThat(LastPieces.inBlocks(bytes, continued(5)))
                .containsExactly(shared(1, 3), shared(2, 4));
    }

    @Test
    void aGapIsFilledByAsManyAsFit() {
        int[] bytes = {30 * KIB, 800 * KIB, 100 * KIB, 1, 88 * KIB};
        assertThat(LastPieces.inBlocks(bytes, continued(5))).containsExactly(shared(1, 2, 4, 0, 3));
    }

    /** Its neighbours are fetched along with it. */
    @Test
    void aWholeStreamThatIsSmallStaysBesideItsNeighbours() {
        int[] bytes = {20 * KIB, 1000 * KIB, 20 * KIB};
        boolean[] continued = {false, false, true};
        assertThat(LastPieces.inBlocks(bytes, continued)).containsExactly(shared(1, 2));
        assertThat(LastPieces.isMore(bytes, List.of(shared(1, 2)))).isTrue();
        assertThat(LastPieces.isMore(bytes, List.of(shared(1, 2, 0)))).isFalse();
    }

    @Test
    void ofSmallPiecesNoneGetsABlock() {
        int[] bytes = {700 * KIB, 324 * KIB, 64 * KIB, 0};
        assertThat(LastPieces.inBlocks(bytes, continued(4))).isEmpty();
        assertThat(LastPieces.isMore(bytes, List.of())).isTrue();
        assertThat(LastPieces.isMore(new int[4], List.of())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void blocksAreNearlyFullAndNoPieceIsInTwo(long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < 500; run++) {
            int[] bytes = new int[random.nextInt(100)];
            boolean[] continued = new boolean[bytes.length];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] =
                        switch (random.nextInt(4)) {
                            case 0 -> 0;
                            case 1 -> MIB - random.nextInt(MIB / 4);
                            case 2 -> 1 + random.nextInt(MIB / 4);
                            default -> 1 + random.nextInt(MIB);
                        };
                continued[i] = random.nextBoolean();
            }
            check(bytes, continued, LastPieces.inBlocks(bytes, continued));
        }
    }

    private static void check(int[] bytes, boolean[] continued, List<LastPieces.Shared> blocks) {
        Set<Integer> seen = new HashSet<>();
        for (LastPieces.Shared each : blocks) {
            assertThat(seen.add(each.large())).isTrue();
            assertThat(bytes[each.large()]).isGreaterThanOrEqualTo(LastPieces.LARGE);
            int end = bytes[each.large()];
            for (int piece : each.small()) {
                assertThat(seen.add(piece)).isTrue();
                assertThat(continued[piece]).isTrue();
                assertThat(bytes[piece]).isPositive();
                end = (end + 4095 & -4096) + bytes[piece];
            }
            assertThat(end).isBetween(LastPieces.BLOCK - LastPieces.WASTE - 4095, LastPieces.BLOCK);
        }
    }
}
