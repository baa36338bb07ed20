// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.spark.sort.ByteArrayFormat;
import io.crail.spark.sort.FixedSizeSerializer;
import io.crail.spark.sort.FixedSizeShuffles;
import io.crail.spark.sort.RecordFormat;
import io.crail.spark.sort.UnsignedBytesOrdering;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;
import scala.math.Ordering;

/** A map output that ends in the middle of a record is made again. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CutRecordsTest {
    private static final int RECORDS = 1000;
    private static final ByteArrayFormat FORMAT = new ByteArrayFormat(4, 6);

    /** As the format, but that the first attempt of a map task writes less of its values. */
    record Cutting() implements RecordFormat<byte[], byte[]> {
        @Override
        public int keyLength() {
            return FORMAT.keyLength();
        }

        @Override
        public int valueLength() {
            TaskContext task = TaskContext.get();
            boolean cuts = task != null && task.stageId() == 0 && task.stageAttemptNumber() == 0;
            return cuts ? FORMAT.valueLength() - 1 : FORMAT.valueLength();
        }

        @Override
        public void writeKey(byte[] key, byte[] target, int offset) {
            FORMAT.writeKey(key, target, offset);
        }

        @Override
        public void writeValue(byte[] value, byte[] target, int offset) {
            System.arraycopy(value, 0, target, offset, valueLength());
        }

        @Override
        public byte[] readKey(byte[] source, int offset) {
            return FORMAT.readKey(source, offset);
        }

        @Override
        public byte[] readValue(byte[] source, int offset) {
            return FORMAT.readValue(source, offset);
        }

        @Override
        public boolean sortsAsBytes(Ordering<?> order) {
            return FORMAT.sortsAsBytes(order);
        }
    }

    private static Tuple2<byte[], byte[]> record(int number) {
        byte[] key = {0, 0, (byte) (number >> 8), (byte) number};
        return new Tuple2<>(key, new byte[] {1, 2, 3, 4, 5, (byte) number});
    }

    @Test
    void theMapTaskRunsAgain() throws IOException {
        try (TestApplication application = TestApplication.start(TestApplication.LOCAL, Map.of())) {
            JavaPairRDD<byte[], byte[]> records =
                    application
                            .spark()
                            .parallelize(IntStream.range(0, RECORDS + 1).boxed().toList(), 1)
                            .mapToPair(CutRecordsTest::record);
            JavaPairRDD<byte[], byte[]> sorted =
                    FixedSizeShuffles.repartitionAndSortWithinPartitions(
                            records,
                            new HashPartitioner(1),
                            new FixedSizeSerializer<>(new Cutting()),
                            new UnsignedBytesOrdering());
            Totals totals =
                    application.during(
                            () -> {
                                List<Tuple2<byte[], byte[]>> read = sorted.collect();
                                assertThat(read).hasSize(RECORDS + 1);
                                for (int i = 0; i <= RECORDS; i++) {
                                    assertThat(read.get(i)._1()).isEqualTo(record(i)._1());
                                    assertThat(read.get(i)._2()).isEqualTo(record(i)._2());
                                }
                            });
            assertThat(totals.mapTasks).isEqualTo(2);
            assertThat(totals.failedTasks).isEqualTo(1);
        }
    }
}
