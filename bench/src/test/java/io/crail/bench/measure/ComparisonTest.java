// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InternalException;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static Comparison of(double... valuesAndLimits) {
        Comparison comparison = new Comparison("limit");
        for (int i = 0; i < valuesAndLimits.length; i += 2) {
            comparison.add(valuesAndLimits[i], valuesAndLimits[i + 1]);
        }
        return comparison;
    }

    @Test
    void theRatioIsTheMedianOfThePairsNotTheRatioOfTheMedians() {
        Comparison comparison = of(10, 10, 30, 10, 24, 12);
        assertThat(comparison.ratio()).isEqualTo(2);
        assertThat(comparison.value()).isEqualTo(24);
        assertThat(comparison.limit()).isEqualTo(10);
        assertThat(comparison.lowestRatio()).isEqualTo(1);
        assertThat(comparison.highestRatio()).isEqualTo(3);
        assertThat(comparison.size()).isEqualTo(3);
    }

    @Test
    void aLimitThatVariesByMoreThanThirtyPercentIsUnsteady() {
        assertThat(of(1, 10, 1, 13).unsteady()).isFalse();
        assertThat(of(1, 10, 1, 11, 1, 13.1).unsteady()).isTrue();
    }

    @Test
    void listsOfCoresAreReadAsTheKernelWritesThem() {
        assertThat(Cores.parse("0-3,7")).containsExactly(0, 1, 2, 3, 7);
        assertThat(Cores.parse("5")).containsExactly(5);
    }

    @Test
    void aProcessThatDoesNotExistCannotBeConfined() {
        assertThatThrownBy(() -> Cores.confine(Integer.MAX_VALUE, "0"))
                .isInstanceOf(InternalException.class)
                .hasMessageContaining("cores 0");
    }
}
