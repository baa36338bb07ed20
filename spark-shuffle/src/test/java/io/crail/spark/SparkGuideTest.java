// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.spark.sort.ByteArrayFormat;
import io.crail.spark.sort.FixedSizeSerializer;
import io.crail.spark.sort.FixedSizeShuffles;
import io.crail.spark.sort.UnsignedBytesOrdering;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** The code of docs/spark.md. */
@Tag("spark")
class SparkGuideTest {
    @Test
    void recordsOfAFixedSizeAreSortedByTheirBytes() throws IOException {
        try (TestApplication application = TestApplication.start(TestApplication.LOCAL, Map.of())) {
            JavaPairRDD<byte[], byte[]> records =
                    new FixedRecords(2, 1000, 1).unsorted(application.spark());
            Partitioner partitioner = new FixedRecords.Ranges(3);
            // snippet: records of a fixed size
            JavaPairRDD<byte[], byte[]> sorted =
                    FixedSizeShuffles.repartitionAndSortWithinPartitions(
                            records, // byte[10] to byte[90]
                            partitioner,
                            new FixedSizeSerializer<>(new ByteArrayFormat(10, 90)),
                            new UnsignedBytesOrdering());
            // end
            List<byte[]> keys = sorted.map(Tuple2::_1).collect();
            assertThat(keys).hasSize(2000).isSortedAccordingTo(Arrays::compareUnsigned);
        }
    }
}
