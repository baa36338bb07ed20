// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import io.crail.spark.sort.ByteArrayFormat;
import io.crail.spark.sort.FixedSizeSerializer;
import io.crail.spark.sort.FixedSizeShuffles;
import io.crail.spark.sort.UnsignedBytesOrdering;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * A program that sorts records of 100 bytes, as TeraSort does, and what has to come out. One key in
 * ten is there more than once.
 */
record FixedRecords(int maps, int each, int partitions) implements Serializable {
    private static final int KEY = 10;
    private static final int VALUE = 90;

    /** Ranges of the first byte. */
    static final class Ranges extends Partitioner {
        private static final long serialVersionUID = 1L;
        private final int partitions;

        Ranges(int partitions) {
            this.partitions = partitions;
        }

        @Override
        public int numPartitions() {
            return partitions;
        }

        @Override
        public int getPartition(Object key) {
            return ((((byte[]) key)[0] & 0xFF) * partitions) >> Byte.SIZE;
        }
    }

    static FixedSizeSerializer<byte[], byte[]> serializer() {
        return new FixedSizeSerializer<>(new ByteArrayFormat(KEY, VALUE));
    }

    List<Tuple2<byte[], byte[]>> ofMap(int map) {
        Random random = new Random(map);
        List<Tuple2<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            byte[] key = new byte[KEY];
            byte[] value = new byte[VALUE];
            (i % 10 == 0 ? new Random(i) : random).nextBytes(key);
            random.nextBytes(value);
            records.add(new Tuple2<>(key, value));
        }
        return records;
    }

    JavaPairRDD<byte[], byte[]> unsorted(JavaSparkContext spark) {
        FixedRecords records = this;
        return spark.parallelize(IntStream.range(0, maps).boxed().toList(), maps)
                .flatMapToPair(map -> records.ofMap(map).iterator());
    }

    /** Sorted by way of bytes, where that is possible. */
    JavaPairRDD<byte[], byte[]> sorted(JavaSparkContext spark) {
        return FixedSizeShuffles.repartitionAndSortWithinPartitions(
                unsorted(spark), new Ranges(partitions), serializer(), new UnsignedBytesOrdering());
    }

    /**
     * Each partition as lines, whose order is that of its keys and, where those are equal, values.
     */
    static List<List<String>> lines(JavaPairRDD<byte[], byte[]> records) {
        return records.mapPartitions(
                        partition -> {
                            List<String> lines = new ArrayList<>();
                            byte[] last = new byte[0];
                            while (partition.hasNext()) {
                                Tuple2<byte[], byte[]> record = partition.next();
                                if (Arrays.compareUnsigned(last, record._1()) > 0) {
                                    lines.add("not in order:");
                                }
                                last = record._1();
                                lines.add(line(record));
                            }
                            return List.of(inOrder(lines)).iterator();
                        })
                .collect();
    }

    private static String line(Tuple2<byte[], byte[]> record) {
        HexFormat hex = HexFormat.of();
        return hex.formatHex(record._1()) + " " + hex.formatHex(record._2());
    }

    private static List<String> inOrder(List<String> lines) {
        List<String> ordered = new ArrayList<>(lines);
        ordered.sort(Comparator.naturalOrder());
        return ordered;
    }

    /** What {@link #lines} has to be. */
    List<List<String>> expected() {
        List<List<String>> lines = new ArrayList<>();
        Ranges ranges = new Ranges(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            lines.add(new ArrayList<>());
        }
        for (int map = 0; map < maps; map++) {
            for (Tuple2<byte[], byte[]> record : ofMap(map)) {
                lines.get(ranges.getPartition(record._1())).add(line(record));
            }
        }
        lines.replaceAll(FixedRecords::inOrder);
        return lines;
    }
}
