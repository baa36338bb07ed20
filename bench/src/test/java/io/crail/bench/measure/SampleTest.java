// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.crail.bench.measure.Sample.Interval;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SampleTest {
    private static Interval interval(double... figures) {
        return new Sample(figures).medianInterval(0.9, new SplittableRandom(1));
    }

    @Test
    void theMedianIsInTheMiddleWhateverTheOrder() {
        assertThat(new Sample(3, 1, 100).median()).isEqualTo(3);
        assertThat(new Sample(4, 1, 100, 2).median()).isEqualTo(3);
        assertThat(new Sample(7).median()).isEqualTo(7);
    }

    @Test
    void noFiguresAreNoSample() {
        assertThatThrownBy(Sample::new).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theIntervalOfEqualFiguresIsThatFigure() {
        assertThat(interval(2, 2, 2, 2)).isEqualTo(new Interval(2, 2));
        assertThat(interval(2)).isEqualTo(new Interval(2, 2));
    }

    /**
     * Of three figures 1, 2, 3 drawn three times, the median is 1 in 7 of 27 cases, as it is 3:
     * more than a twentieth at each end.
     */
    @Test
    void theIntervalIsThatOfTheDistributionOfDraws() {
        assertThat(interval(1, 2, 3)).isEqualTo(new Interval(1, 3));
    }

    /**
     * The median of a draw of 99 has a deviation of about 5 ranks; 1.645 of them are the bounds.
     */
    @Test
    void theIntervalOfManyFiguresIsNarrow() {
        Interval interval = interval(DoubleStream.iterate(1, x -> x + 1).limit(99).toArray());
        assertThat(interval.low()).isCloseTo(50 - 8.2, within(2.0));
        assertThat(interval.high()).isCloseTo(50 + 8.2, within(2.0));
    }

    @Test
    void aFigureFarOffHardlyMovesTheInterval() {
        Interval without = interval(10, 11, 12, 13, 14, 15, 16, 17, 18);
        Interval with = interval(10, 11, 12, 13, 14, 15, 16, 17, 9000);
        assertThat(with).isEqualTo(without);
    }

    @Test
    void theSameSeedGivesTheSameInterval() {
        assertThat(interval(1, 5, 2, 8, 3)).isEqualTo(interval(8, 3, 2, 5, 1));
    }

    @Property(tries = 50)
    void theMedianIsWithinItsIntervalAndThatWithinTheRange(
            @ForAll @Size(min = 1, max = 30)
                    List<@DoubleRange(min = 0.1, max = 10) Double> figures) {
        Sample sample = new Sample(figures.stream().mapToDouble(figure -> figure).toArray());
        Interval interval = sample.medianInterval(0.9, new SplittableRandom(figures.size()));
        assertThat(interval.low()).isBetween(sample.range().low(), sample.median());
        assertThat(interval.high()).isBetween(sample.median(), sample.range().high());
    }
}
