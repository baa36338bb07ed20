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
        assertThat(looks).isBetween(100, 160);
        looking.found();
        assertThat(looking.budget(now)).isPositive();
    }

    /** As a thread on the same core that never waits has it: each look takes its time slice. */
    @Test
    void looksThatLoseTheCoreAgainAndAgainAreNotRepeatedForManyTimesAsLong() {
        long slice = 4_000_000;
        long lost = 0;
        long now = 0;
        while (now < 10 * SECOND) {
            if (looking.budget(now) > 0) {
                lost += slice;
                now += slice;
                looking.found(now, slice);
            } else {
                now += 100_000;
            }
        }
        assertThat(lost).isLessThan(10 * SECOND / 15);
    }

    @Test
    void oneLookThatLostTheCoreIsNotHeldAgainstThoseThatDidNot() {
        long lost = 3_000_000;
        long now = SECOND;
        for (int round = 0; round < 10; round++) {
            looking.found(now, lost);
            assertThat(looking.budget(now)).isZero();
            assertThat(looking.budget(now + lost - 1)).isZero();
            now += lost;
            for (int find = 0; find < 8; find++) {
                assertThat(looking.budget(now)).isEqualTo(LONGEST);
                looking.found(now, LONGEST / 2);
                now += LONGEST;
            }
        }
    }

    @Test
    void aLookOfUpToTwiceTheLongestLostNothing() {
        looking.found(SECOND, 2 * LONGEST);
        assertThat(looking.budget(SECOND)).isEqualTo(LONGEST);
        looking.found(SECOND, 2 * LONGEST + 1);
        assertThat(looking.budget(SECOND)).isZero();
    }
}
