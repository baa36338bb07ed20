// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void whatIsWarmedUpRunsAtLeastOnceAndIsNumbered() throws IOException {
        int[] runs = {0};
        WarmUp.with(Duration.ZERO, Duration.ZERO, List.of())
                .run(number -> assertThat(number).isEqualTo(runs[0]++));
        assertThat(runs[0]).isEqualTo(1);
    }

    @Test
    void itTakesItsTime() throws IOException {
        long start = System.nanoTime();
        WarmUp.with(Duration.ofMillis(50), Duration.ofMillis(60), List.of()).run(number -> {});
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
    }

    @Test
    void itHasAnEndThoughCompilersAreNeverSeenToRest() throws IOException {
        // Too short for a slice in which they could be watched.
        WarmUp.with(Duration.ZERO, Duration.ofMillis(20), List.of()).run(number -> {});
    }

    @Test
    void timesOfCompilersAreCountedAndThoseOfOtherThreadsAreNot() {
        String rest = " S 1 2 3 4 5 6 7 8 9 10 31 11 0 0 20 0 1 0 100 0 0";
        assertThat(CompilerTime.ticks("17 (C2 CompilerThre)" + rest)).isEqualTo(42);
        assertThat(CompilerTime.ticks("17 (C1 CompilerThre)" + rest)).isEqualTo(42);
        assertThat(CompilerTime.ticks("17 (a (b) c)" + rest)).isZero();
    }
}
