// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.bench.measure.Comparison;
import io.crail.bench.measure.Quantiles;
import io.crail.bench.stage.Label.Target;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static Result result(@Nullable Target target, double... valuesAndLimits) {
        Comparison comparison = new Comparison("ping-pong");
        for (int i = 0; i < valuesAndLimits.length; i += 2) {
            comparison.add(valuesAndLimits[i], valuesAndLimits[i + 1]);
        }
        Label label = new Label("a_row", "one-core", Label.MICROS, "ping-pong", target);
        return Result.of(label, comparison, 1.5, 0.25);
    }

    @Test
    void anObjectHasWhatTheTableOfTargetsAsksFor() {
        Result result = result(Target.atMost(1.5), 12, 10, 10, 10, 22, 11);
        assertThat(result.json())
                .containsEntry("row", "a_row")
                .containsEntry("value", 12.0)
                .containsEntry("unit", "us")
                .containsEntry("limit", 10.0)
                .containsEntry("ratio", 1.2)
                .containsEntry("setting", "one-core")
                .containsEntry("spread", List.of(1.0, 2.0))
                .containsEntry("runs", 3)
                .containsEntry("load", 0.25)
                .containsEntry("target", "<= 1.50")
                .containsEntry("met", true)
                .containsEntry("void", false);
    }

    @Test
    void timesOfSingleOperationsFollowWhatTheTableAsksFor() {
        Result result = result(null, 12, 10);
        assertThat(result.json()).doesNotContainKeys("latency", "limitLatency");
        Quantiles quantiles = new Quantiles(1, 2, 3);
        assertThat(result.with(new Result.Times(quantiles, null)).json())
                .containsAllEntriesOf(result.json())
                .containsEntry("latency", Map.of("p50", 1.0, "p99", 2.0, "p999", 3.0))
                .containsEntry("limitLatency", null);
        assertThat(result.with(new Result.Times(quantiles, quantiles)).json())
                .containsEntry("limitLatency", quantiles.json());
    }

    @Test
    void aSkippedRowSaysWhyAndHasNoFigures() {
        Label label = new Label("a_row", "x", Label.MICROS, "y", null);
        Result result = Result.skipped(label, "needs 4 cores", 1);
        assertThat(result.json())
                .containsEntry("skipped", "needs 4 cores")
                .doesNotContainKeys("value", "ratio", "limit");
        assertThat(result.met()).isNull();
    }

    @Test
    void aVoidRowNeitherMeetsNorMissesItsTarget() {
        Result result = result(Target.atMost(1.5), 10, 10, 28, 14);
        assertThat(result.isVoid()).isTrue();
        assertThat(result.met()).isNull();
        assertThat(result.json()).containsEntry("void", true).containsEntry("met", null);
    }

    @Test
    void anUnsteadyLimitMakesNoFactorVoidOfWhichAllPairsSayTheSame() {
        assertThat(result(Target.atMost(1.5), 10, 10, 14, 14).isVoid()).isTrue();
        assertThat(result(Target.factorAtLeast(0.5), 10, 10, 14, 14).met()).isTrue();
        assertThat(result(Target.factorAtLeast(5), 10, 10, 14, 14).met()).isFalse();
        assertThat(result(Target.factorAtLeast(1.5), 10, 10, 28, 14).isVoid()).isTrue();
        assertThat(result(null, 10, 10, 14, 14).isVoid()).isTrue();
    }

    @Test
    void targetsBoundRatioValueOrDifferenceFromAboveOrBelow() {
        assertThat(result(Target.atMost(2), 20, 10).met()).isTrue();
        assertThat(result(Target.atMost(2), 21, 10).met()).isFalse();
        assertThat(result(Target.atLeast(2), 19, 10).met()).isFalse();
        assertThat(result(Target.valueAtLeast(700_000), 700_000, 9e6).met()).isTrue();
        assertThat(result(Target.valueAtMost(2), 2.5, 20).met()).isFalse();
        assertThat(result(Target.moreAtMost(5), 14, 10, 21, 11, 16, 11).met()).isTrue();
        assertThat(result(Target.moreAtMost(5), 16, 10).met()).isFalse();
        assertThat(Target.valueAtLeast(700_000)).hasToString(">= 700,000");
        assertThat(Target.moreAtMost(5)).hasToString("<= 5.00 more");
    }
}
