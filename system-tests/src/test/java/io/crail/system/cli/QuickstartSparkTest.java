// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The quickstart with Spark, word for word. */
@Tag("spark")
@Tag("long")
@Timeout(1_600)
class QuickstartSparkTest extends InOwnState {
    /** It takes two minutes on two cores, without the downloads and what else they do. */
    private static final long BOUND_SECONDS = 1_500;

    @Test
    void itRunsGroupByAndTeraSortAndSaysThatResultsAreIdentical() {
        try (Command run = Command.start(directory, "quickstart", "--spark")) {
            assertThat(run.awaitEnd(BOUND_SECONDS)).as(run.err()).isZero();
            assertThat(run.out())
                    .containsPattern("ROW +CRAIL +VANILLA +ON DISK +.*SPEEDUP")
                    .containsPattern("(?m)^groupby +[0-9.]+ +[0-9.]+ +[0-9.]+")
                    .containsPattern("(?m)^terasort +[0-9.]+ +[0-9.]+ +[0-9.]+")
                    .contains("Results of crail and of Spark as shipped are identical.");
            assertThat(state.processes()).isEmpty();
        }
    }
}
