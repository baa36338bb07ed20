// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LookingTest {
    private static final long SECOND = 1_000_000_000;

    private static final long LONGEST = 100_000;

    private final Looking looking = new Looking(LONGEST);

    @Test
    void looksAsLongAsThatFindsSomething() {
        for (int wait = 0; wait < 100; wait++) {
            assertThat(looking.budget(wait)).isPositive();
            looking.found();
        }
        looking.missed(100);
        assertThat(looking.budget(101)).as("one miss after many finds").isPositive();
    }

    @Test
    void stopsWhenItIsInVainAndTriesSeldom() {
        long now = 0;
        int looks = 0;
        for (; now < SECOND; now += 100_000) {
            if (looking.budget(now) > 0) {
                looks++;
                looking.missed(now);
            }
        }
        assertThat(looks).isBetween(10, 60);
        looking.found();
        assertThat(looking.budget(now)).isPositive();
    }

    @Test
    void aLookThatLostTheCoreIsNotRepeatedForManyTimesAsLong() {
        long lost = 3_000_000;
        looking.found(SECOND, lost);
        assertThat(looking.budget(SECOND)).isZero();
        assertThat(looking.budget(SECOND + 15 * lost)).isZero();
        assertThat(looking.budget(SECOND + 16 * lost)).isEqualTo(LONGEST);
        looking.found(SECOND + 16 * lost, LONGEST);
        assertThat(looking.budget(SECOND + 16 * lost)).isEqualTo(LONGEST);
    }

    @Test
    void aLookOfUpToTwiceTheLongestLostNothing() {
        looking.found(SECOND, 2 * LONGEST);
        assertThat(looking.budget(SECOND)).isEqualTo(LONGEST);
        looking.found(SECOND, 2 * LONGEST + 1);
        assertThat(looking.budget(SECOND)).isZero();
    }
}
