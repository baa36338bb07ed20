// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HistogramTest {
    private static Histogram of(List<Long> times) {
        Histogram histogram = new Histogram();
        times.forEach(histogram::add);
        return histogram;
    }

    @Property(tries = 200)
    void aQuantileIsAtMostASixtyFourthAboveTheExactOne(
            @ForAll @Size(min = 1, max = 300) List<@LongRange(min = 0, max = 1L << 62) Long> times,
            @ForAll @LongRange(min = 1, max = 1000) long thousandths) {
        long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
        double part = thousandths / 1000.0;
        long exact = sorted[Math.max(1, (int) Math.ceil(part * sorted.length)) - 1];
        assertThat(of(times).quantile(part)).isBetween(exact, exact + exact / 64);
    }

    @Property(tries = 100)
    void histogramsOfProcessesAddUpToThatOfAllTimes(
            @ForAll @Size(max = 50) List<@LongRange(min = 0, max = 1L << 40) Long> some,
            @ForAll @Size(max = 50) List<@LongRange(min = 0, max = 1L << 40) Long> others) {
        Histogram sum = Histogram.parse(of(some).toString());
        sum.add(Histogram.parse(of(others).toString()));
        Histogram all = of(some);
        others.forEach(all::add);
        assertThat(sum).hasToString(all.toString());
        assertThat(sum.count()).isEqualTo(some.size() + others.size());
    }

    @Test
    void quantilesAreInMicroseconds() {
        Histogram histogram = new Histogram();
        for (int i = 0; i < 998; i++) {
            histogram.add(10);
        }
        histogram.add(20);
        histogram.add(30);
        assertThat(histogram.quantiles()).isEqualTo(new Quantiles(0.01, 0.01, 0.02));
        assertThat(new Histogram().quantiles()).isEqualTo(new Quantiles(0, 0, 0));
    }

    @Test
    void extremeTimesHaveABucket() {
        assertThat(of(Arrays.asList(-5L, 0L)).quantile(1)).isZero();
        assertThat(of(List.of(Long.MAX_VALUE)).quantile(1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatIsNoHistogramIsRefused() {
        for (String text : List.of("", "x", "5", "5:0", "-1:3", "999999:1", "1:1,")) {
            assertThatThrownBy(() -> Histogram.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
