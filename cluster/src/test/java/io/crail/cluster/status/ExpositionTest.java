// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checker refuses what is malformed; else it would prove nothing. */
class ExpositionTest {
    private static final String HEAD = "# HELP a_total Help.\n# TYPE a_total counter\n";
    private static final String HISTOGRAM = "a_total 1\n# HELP h H.\n# TYPE h histogram\n";

    @Test
    void wellFormedTextIsTaken() {
        assertThat(Exposition.parse(HEAD + "a_total{x=\"1\",y=\"\\\"\"} 3\na_total 1e+3\n"))
                .containsOnlyKeys("a_total");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a_total 1",
                "a_total 1\na_total 2\n",
                "a_total{x=1} 1\n",
                "a_total{x=\"1\",x=\"2\"} 1\n",
                "a_total{x=\"\\t\"} 1\n",
                "a_total -1\n",
                "a_total one\n",
                "b_total 1\n",
                "",
                "a_total 1\n# TYPE a_total counter\na_total{x=\"1\"} 1\n",
                "a_total 1\n\n",
                HISTOGRAM + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_count 1\nh_sum 1\n",
                HISTOGRAM + "h_bucket{le=\"1\"} 1\nh_count 1\nh_sum 1\n",
            })
    void malformedTextIsRefused(String samples) {
        assertThatThrownBy(() -> Exposition.parse(HEAD + samples))
                .isInstanceOf(AssertionError.class);
    }
}
