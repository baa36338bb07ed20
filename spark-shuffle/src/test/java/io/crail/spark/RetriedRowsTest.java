// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.crail.spark.store.MapOutputLocation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.ShuffleStatus;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver gets checksums of rows, by which it notices that a map task that ran again gave other
 * rows than before. Spark does so since 4.1, and only from 4.2 on unless it is told not to.
 */
@Tag("spark")
class RetriedRowsTest {
    private static final int MAPS = 6;
    private static final int LOST = 2;

    /** What rows are, besides their number. */
    private static final AtomicLong MOOD = new AtomicLong();

    private TestApplication application;
    private SparkSession sql;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(existChecksums(), "this Spark has no checksums of rows");
        application = TestApplication.start(TestApplication.LOCAL, Map.of());
        sql = SparkSession.builder().sparkContext(application.spark().sc()).getOrCreate();
        sql.conf().set("spark.sql.adaptive.enabled", "false");
        sql.conf().set("spark.sql.shuffle.orderIndependentChecksum.enabled", "true");
        MOOD.set(0);
    }

    @AfterEach
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    private static boolean existChecksums() {
        return Stream.of(ShuffleDependency.class.getMethods())
                .anyMatch(method -> method.getName().equals("rowBasedChecksums"));
    }

    private JavaRDD<Row> rows(int partitions) {
        Dataset<Long> numbers =
                sql.range(0, 20_000, 1, MAPS)
                        .map(
                                (MapFunction<Long, Long>) number -> number + MOOD.get(),
                                Encoders.LONG());
        return numbers.toDF("number").repartition(partitions, col("number")).javaRDD();
    }

    private static ShuffleStatus outputs() {
        MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
        return tracker.shuffleStatuses().apply(0);
    }

    /** Removes the output of one map, so that the map runs again when somebody wants to read it. */
    private void lose() throws IOException {
        long mapId = outputs().mapStatuses()[LOST].mapId();
        assertThat(outputs().mapStatuses()[LOST].location())
                .isEqualTo(MapOutputLocation.of(0, mapId));
        application.client().delete(application.directory() + "/0/" + mapId, false);
        TestApplication.closeOutputs(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void otherRowsThanBeforeAreNoticed(int partitions) throws IOException {
        JavaRDD<Row> rows = rows(partitions);
        assertThat(rows.count()).isEqualTo(20_000);
        lose();
        MOOD.set(1_000_000);
        try {
            rows.count();
        } catch (RuntimeException e) {
            // Spark may give the job up: part of it has seen the rows that were before.
            assertThat(e).hasMessageContaining("indeterminate");
        }
        assertThat(outputs().checksumMismatchIndices().contains(LOST)).isTrue();
        assertThat(outputs().checksumMismatchIndices().size()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void theSameRowsAreNotTakenForOthers(int partitions) throws IOException {
        JavaRDD<Row> rows = rows(partitions);
        assertThat(rows.count()).isEqualTo(20_000);
        assertThat(List.of(outputs().mapStatuses())).noneMatch(each -> each.checksumValue() == 0);
        lose();
        Totals totals = application.during(() -> assertThat(rows.count()).isEqualTo(20_000));
        assertThat(totals.mapTasks).isEqualTo(1);
        assertThat(outputs().checksumMismatchIndices().isEmpty()).isTrue();
    }
}
