// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkRowsTest {
    private static final long GIB = 1L << 30;

    private static SparkRow row(SparkSizes sizes, String name) {
        return sizes.rows().stream().filter(row -> row.name().equals(name)).findAny().orElseThrow();
    }

    @Test
    void theTableHasTheRowsOfTheTargets() throws OutOfSpaceException {
        assertThat(SparkSizes.full(4, 24 * GIB, 1).rows())
                .extracting(SparkRow::name)
                .contains(
                        "groupby",
                        "groupby_cold",
                        "groupby_1core",
                        "terasort",
                        "terasort_plain",
                        "sqljoin",
                        "smallblocks",
                        "broadcast512m",
                        "emptyjob")
                .doesNotHaveDuplicates();
    }

    @Test
    void executorsAreThoseOfTheTargetsWhereTheMachineHasTheMemory() throws OutOfSpaceException {
        SparkRow row = row(SparkSizes.full(4, 24 * GIB, 1), "groupby");
        assertThat(row.vanilla().master()).isEqualTo("local-cluster[2,2,4096]");
        assertThat(row.crail()).isEqualTo(row.vanilla());
        assertThat(row(SparkSizes.full(2, 24 * GIB, 1), "groupby").crail().cores()).isEqualTo(1);
        assertThat(row(SparkSizes.full(4, 16 * GIB, 1), "groupby").crail().heapMebibytes())
                .isBetween(1024, 4095);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 16})
    void crailOnOneCoreIsComparedWithVanillaOnTwoWhateverTheMachineHas(int processors)
            throws OutOfSpaceException {
        SparkRow row = row(SparkSizes.full(processors, 24 * GIB, 1), "groupby_1core");
        assertThat(row.crail().master()).isEqualTo("local-cluster[2,1,4096]");
        assertThat(row.vanilla().master()).isEqualTo("local-cluster[2,2,4096]");
    }

    @Test
    void onFlashThereIsMemoryForAFifth() throws OutOfSpaceException {
        SparkRow row = row(SparkSizes.full(4, 24 * GIB, 1), "groupby_flash");
        assertThat(row.usesFlash()).isTrue();
        assertThat(row.inMemory()).isEqualTo(0.2);
        assertThat(row.target()).hasToString("<= 1.5");
        assertThat(row.job()).isEqualTo(row(SparkSizes.full(4, 24 * GIB, 1), "groupby").job());
        assertThat(SparkSizes.quick(4).rows().stream().filter(SparkRow::usesFlash)).hasSize(1);
    }

    @Test
    void aMachineWithTooLittleMemoryIsToldWhatNeedsLess() {
        assertThatThrownBy(() -> SparkSizes.full(4, 6 * GIB, 1))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("--part")
                .hasMessageContaining("--quick");
    }

    @Test
    void targetsAreAboutTheFullSizesOnly() throws OutOfSpaceException {
        assertThat(row(SparkSizes.full(4, 24 * GIB, 1), "groupby").target()).isNotNull();
        assertThat(SparkSizes.full(4, 24 * GIB, 4).rows())
                .allSatisfy(row -> assertThat(row.target()).isNull());
        assertThat(SparkSizes.quick(4).rows()).allSatisfy(row -> assertThat(row.target()).isNull());
    }

    @Test
    void chosenRowsKeepTheOrderOfTheTable() throws InvalidArgumentException {
        SparkRows rows =
                new SparkRows(
                        List.of("emptyjob", "groupby"), SparkSizes.quick(4), SparkEffort.QUICK);
        assertThat(rows.count()).isEqualTo(2);
    }

    @Test
    void anUnknownRowIsAnErrorThatNamesTheRows() {
        assertThatThrownBy(
                        () ->
                                new SparkRows(
                                        List.of("grupby"), SparkSizes.quick(4), SparkEffort.QUICK))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("grupby")
                .hasMessageContaining("groupby_cold");
    }
}
