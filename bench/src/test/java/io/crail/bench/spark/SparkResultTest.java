// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.bench.measure.Sample;
import io.crail.bench.spark.SparkResult.Pair;
import io.crail.bench.spark.SparkResult.Turn;
import io.crail.bench.spark.SparkResult.WithMemory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SparkResultTest {
    /** Members that readers of a file of results find in each of its rows. */
    static final String[] OF_EVERY_ROW = {
        "row", "crail_s", "vanilla_shm_s", "vanilla_disk_s", "speedup", "spread", "cpu_s"
    };

    private static final Shape SHAPE = new Shape(2, 2, 4096, 1024);
    private static final Job JOB = new Job(Job.GROUP_BY, Map.of());

    /** Pairs of rounds: crail needs a second, and vanilla so many. */
    private static SparkResult result(@Nullable SparkTarget target, double... vanilla) {
        List<Pair> pairs =
                Arrays.stream(vanilla)
                        .mapToObj(seconds -> new Pair(new Turn(seconds, 7, 0), new Turn(1, 3, 0.5)))
                        .toList();
        SparkRow row = SparkRow.warm("groupby", JOB, SHAPE, target).crailWith(1);
        return new SparkResult(
                row,
                pairs,
                true,
                new Sample(3, 4, 5.5),
                new WithMemory(new Sample(2.5, 2.75, 2.25), 5120),
                3L << 30,
                1.5,
                0.02);
    }

    @Test
    void theSpeedupIsTheMedianOfThePairs() {
        SparkResult result = result(null, 2, 1.5, 9);
        assertThat(result.speedup()).isEqualTo(2);
        assertThat(result.met()).isNull();
    }

    @Test
    void aTargetIsMetByTheMedian() {
        assertThat(result(SparkTarget.atLeast(1.8), 1.8, 1.7, 2.5).met()).isTrue();
        assertThat(result(SparkTarget.atLeast(1.8), 1.79, 1.7, 2.5).met()).isFalse();
    }

    @Test
    void onlyWhatIsSlowerBeyondDoubtIsSlower() {
        assertThat(result(SparkTarget.notSlower(), 0.9, 0.9, 0.9).met()).isFalse();
        assertThat(result(SparkTarget.notSlower(), 0.98, 0.98, 0.98).met()).isTrue();
        assertThat(result(SparkTarget.notSlower(), 0.5, 0.9, 1.1).met()).isTrue();
        assertThat(result(null, 0.9, 0.9, 0.9).isSlower()).isTrue();
    }

    @Test
    void jsonHasWhatEveryRowHas() {
        assertThat(result(null, 2).json()).containsKeys(OF_EVERY_ROW);
    }

    @Test
    void jsonSaysAllThatIsNeededToJudge() {
        Map<String, @Nullable Object> json =
                result(SparkTarget.atLeast(1.8), 2, 1.9, 2.1, 2, 2).json();
        assertThat(json.keySet())
                .containsExactly(
                        "row",
                        "crail_s",
                        "vanilla_shm_s",
                        "vanilla_disk_s",
                        "speedup",
                        "spread",
                        "cpu_s",
                        "identical",
                        "target",
                        "met",
                        "interval",
                        "slower",
                        "pairs",
                        "cold",
                        "store_cpu_s",
                        "vanilla_cpu_s",
                        "vanilla_disk_spread",
                        "vanilla_memory_s",
                        "vanilla_memory_spread",
                        "vanilla_memory_heap_mib",
                        "store_mib",
                        "executors",
                        "cores",
                        "vanilla_cores",
                        "heap_mib",
                        "load",
                        "steal");
        assertThat(json)
                .containsEntry("row", "groupby")
                .containsEntry("crail_s", 1.0)
                .containsEntry("vanilla_shm_s", 2.0)
                .containsEntry("vanilla_disk_s", 4.0)
                .containsEntry("vanilla_disk_spread", List.of(3.0, 5.5))
                .containsEntry("vanilla_memory_s", 2.5)
                .containsEntry("vanilla_memory_spread", List.of(2.25, 2.75))
                .containsEntry("spread", List.of(1.9, 2.1))
                .containsEntry("cpu_s", 3.5)
                .containsEntry("identical", true)
                .containsEntry("store_cpu_s", 0.5)
                .containsEntry("vanilla_cpu_s", 7.0)
                .containsEntry("target", ">= 1.8")
                .containsEntry("met", true)
                .containsEntry("pairs", 5)
                .containsEntry("cores", 1)
                .containsEntry("vanilla_cores", 2)
                .containsEntry("store_mib", 3072L);
    }

    @Test
    void jsonSaysNothingOfWhatWasNotMeasuredOrCompared() {
        SparkRow row = SparkRow.warm("groupby", JOB, SHAPE, null);
        Pair pair = new Pair(new Turn(2, 7, 0), new Turn(1, 3, 0.5));
        assertThat(new SparkResult(row, List.of(pair), false, new Sample(4), null, 0, 0, 0).json())
                .containsEntry("identical", null)
                .containsEntry("vanilla_disk_spread", List.of(4.0, 4.0))
                .containsEntry("vanilla_memory_s", null)
                .containsEntry("vanilla_memory_spread", null)
                .containsEntry("vanilla_memory_heap_mib", null);
    }
}
