// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.repeat;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of SQL, and plans that change while they run: any range of maps and partitions is read. */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlTest {
    private TestApplication application;
    private SparkSession sql;

    @BeforeAll
    void start() throws IOException {
        application = TestApplication.start(TestApplication.LOCAL, Map.of());
        sql = SparkSession.builder().sparkContext(application.spark().sc()).getOrCreate();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    /** With settings of SQL, which last until the next. */
    private void set(String... keysAndValues) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            sql.conf().set(keysAndValues[i], keysAndValues[i + 1]);
        }
    }

    @ParameterizedTest
    @CsvSource({"4, true", "4, false", "300, true", "300, false"})
    void rowsAreAggregated(int partitions, boolean adaptive) {
        set(
                "spark.sql.shuffle.partitions",
                Integer.toString(partitions),
                "spark.sql.adaptive.enabled",
                Boolean.toString(adaptive));
        Row[] rows =
                (Row[])
                        sql.range(0, 100_000, 1, 6)
                                .groupBy(col("id").mod(1000).as("key"))
                                .agg(sum("id").as("sum"), count(lit(1)).as("count"))
                                .orderBy("key")
                                .collect();
        assertThat(rows).hasSize(1000);
        for (int key = 0; key < rows.length; key++) {
            assertThat(rows[key].getLong(0)).isEqualTo(key);
            assertThat(rows[key].getLong(1)).isEqualTo(100L * key + 1000L * 99 * 100 / 2);
            assertThat(rows[key].getLong(2)).isEqualTo(100);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 300})
    void aSkewedPartitionIsReadInPartsOfItsMaps(int partitions) {
        set(
                "spark.sql.shuffle.partitions", Integer.toString(partitions),
                "spark.sql.adaptive.enabled", "true",
                "spark.sql.autoBroadcastJoinThreshold", "-1",
                "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "4k",
                "spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.5",
                "spark.sql.adaptive.advisoryPartitionSizeInBytes", "4k");
        Dataset<Row> left =
                sql.range(0, 40_000, 1, 8)
                        .select(
                                when(col("id").mod(2).equalTo(0), lit(7L))
                                        .otherwise(col("id").mod(1000))
                                        .as("key"),
                                repeat(col("id").cast("string"), 3).as("text"));
        Dataset<Row> right =
                sql.range(0, 1000, 1, 3).select(col("id").as("key"), col("id").as("value"));
        Dataset<Row> joined = left.join(right, "key");
        Row total = joined.agg(count(lit(1)), sum("value")).head();
        assertThat(total.getLong(0)).isEqualTo(40_000);
        long odd = 0;
        for (long id = 1; id < 40_000; id += 2) {
            odd += id % 1000;
        }
        assertThat(total.getLong(1)).isEqualTo(20_000L * 7 + odd);
        assertThat(joined.collectAsList()).hasSize(40_000);
        assertThat(joined.queryExecution().executedPlan().toString()).contains("skewed");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 300})
    void aJoinThatBecomesABroadcastReadsMapsWhereTheyAre(int partitions) {
        set(
                "spark.sql.shuffle.partitions", Integer.toString(partitions),
                "spark.sql.adaptive.enabled", "true",
                "spark.sql.autoBroadcastJoinThreshold", "-1",
                "spark.sql.adaptive.autoBroadcastJoinThreshold", "1m",
                "spark.sql.adaptive.nonEmptyPartitionRatioForBroadcastJoin", "0");
        Dataset<Row> large = sql.range(0, 50_000, 1, 5).select(col("id").mod(500).as("key"));
        Dataset<Row> small =
                sql.range(0, 100_000, 1, 4)
                        .filter(col("id").lt(50))
                        .select(col("id").as("key"), col("id").as("value"));
        Dataset<Row> joined = large.join(small, "key");
        assertThat(joined.count()).isEqualTo(5_000);
        assertThat(joined.collectAsList()).hasSize(5_000);
        assertThat(joined.queryExecution().executedPlan().toString())
                .contains("BroadcastHashJoin")
                .contains("AQEShuffleRead");
    }
}
