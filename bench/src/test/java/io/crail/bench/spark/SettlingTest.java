// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When an application is warm. */
class SettlingTest {
    private static SparkEffort effort(long leastNanos, long mostNanos) {
        return new SparkEffort(10, 5, 3, leastNanos, mostNanos, 5, true);
    }

    /** Number of rounds until it is warm; the last length goes on for ever. */
    private static int rounds(SparkEffort effort, long... lengths) {
        Settling settling = new Settling(effort);
        while (settling.goesOn()) {
            settling.add(lengths[Math.min(settling.done(), lengths.length - 1)]);
        }
        return settling.done();
    }

    @Test
    void itGoesOnAsLongAsRoundsBecomeFaster() {
        SparkEffort effort = effort(0, 100_000);
        assertThat(rounds(effort, 100)).isEqualTo(3);
        assertThat(rounds(effort, 900, 500, 300, 200, 150, 120, 100)).isEqualTo(9);
        assertThat(rounds(effort, 900, 500, 300, 310, 200, 201, 202)).isEqualTo(7);
    }

    @Test
    void aLittleFasterIsNotFaster() {
        assertThat(rounds(effort(0, 100_000), 900, 100, 98, 97, 96)).isEqualTo(4);
    }

    @Test
    void itEndsInAnyCaseWhenItHasTakenLong() {
        assertThat(rounds(effort(0, 2_800), 900, 800, 700, 600, 500, 400, 300)).isEqualTo(4);
        assertThat(rounds(effort(0, 1), 900, 800, 700, 600, 500, 400, 300)).isEqualTo(3);
    }

    @Test
    void shortRoundsAreManyAndOfAQuickRunThereIsOne() {
        assertThat(rounds(effort(1000, 100_000), 200)).isEqualTo(5);
        assertThat(rounds(SparkEffort.QUICK, 900, 100)).isOne();
        assertThat(rounds(SparkEffort.LAPTOP, 900, 100, 10, 1)).isEqualTo(3);
    }
}
