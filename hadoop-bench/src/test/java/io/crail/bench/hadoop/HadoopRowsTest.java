// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.HadoopBenchmark;
import io.crail.bench.HadoopBenchmark.Wish;
import io.crail.error.InvalidArgumentException;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class HadoopRowsTest {
    private final HadoopBenchmark benchmark =
            ServiceLoader.load(HadoopBenchmark.class).findFirst().orElseThrow();

    private static Wish wish(String... rows) {
        return new Wish(List.of(rows), true, null);
    }

    @Test
    void rowsAreMeasuredInTheOrderOfTheTable() throws InvalidArgumentException {
        assertThat(benchmark.rows(wish("stat", "overhead_stat")))
                .containsExactly("overhead_stat", "stat");
        assertThat(benchmark.rows(wish())).hasSize(18).doesNotHaveDuplicates();
    }

    @Test
    void anUnknownRowIsAnErrorThatNamesAll() {
        assertThatThrownBy(() -> benchmark.rows(wish("stat", "nonsense")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("'nonsense'")
                .hasMessageContaining("overhead_write_1m");
    }

    @Test
    void quickRunsNeedLessRoom() {
        assertThat(benchmark.capacity(wish()))
                .isLessThan(benchmark.capacity(new Wish(List.of(), false, null)));
    }
}
