// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailOutputStream;
import io.crail.cluster.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** What is compressed when the application does not say whether it wants that, and when it does. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CompressionTest {
    private static final int RECORDS = 2_000;
    private static final String TEXT = "what is repeated becomes short; ".repeat(32);
    private static final long BYTES = (long) RECORDS * TEXT.length();
    private static final long CAPACITY = 64 << 20;
    private static final Duration SOON = Duration.ofSeconds(60);

    private static EmbeddedCluster onOneHost() throws IOException {
        return cluster(number -> "host");
    }

    private static EmbeddedCluster onTwoHosts() throws IOException {
        return cluster(number -> "host-" + number);
    }

    private static EmbeddedCluster cluster(IntFunction<String> host) throws IOException {
        AtomicInteger number = new AtomicInteger();
        return EmbeddedCluster.builder()
                .servers(2)
                .capacity(CAPACITY)
                .segmentSize(CAPACITY)
                .storage(server -> server.hostName(host.apply(number.incrementAndGet())))
                .start();
    }

    private static TestApplication start(EmbeddedCluster cluster, Map<String, String> settings)
            throws IOException {
        return TestApplication.start(cluster, TestApplication.LOCAL, settings);
    }

    /** Not the same object, of which a stream needs to have only one. */
    private static String text(int number) {
        return number + TEXT;
    }

    /** Moves all records; bytes that a task wrote for them. */
    private static long bytesOfJob(TestApplication application) {
        Totals totals =
                application.during(
                        () ->
                                assertThat(
                                                application
                                                        .spark()
                                                        .parallelize(
                                                                IntStream.range(0, RECORDS)
                                                                        .boxed()
                                                                        .toList(),
                                                                4)
                                                        .mapToPair(
                                                                each ->
                                                                        new Tuple2<>(
                                                                                each, text(each)))
                                                        .groupByKey(3)
                                                        .filter(
                                                                group ->
                                                                        group._2()
                                                                                .iterator()
                                                                                .next()
                                                                                .equals(
                                                                                        text(
                                                                                                group
                                                                                                        ._1())))
                                                        .count())
                                        .isEqualTo(RECORDS));
        return totals.bytesWritten;
    }

    @Test
    void memoryOfThisHostGetsBytesAsTheyAre() throws IOException {
        try (TestApplication application = start(onOneHost(), Map.of())) {
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(bytesOfJob(application)).isGreaterThan(BYTES));
        }
    }

    @Test
    void whatIsToBeCompressedAlwaysIs() throws IOException {
        try (TestApplication application =
                start(onOneHost(), Map.of("spark.shuffle.compress", "true"))) {
            assertThat(bytesOfJob(application)).isLessThan(BYTES / 4);
        }
    }

    @Test
    void aCodecThatIsNamedIsUsed() throws IOException {
        try (TestApplication application =
                start(onOneHost(), Map.of("spark.io.compression.codec", "zstd"))) {
            assertThat(bytesOfJob(application)).isLessThan(BYTES / 4);
        }
    }

    @Test
    void whatOthersWillReadOverANetworkIsCompressed() throws IOException {
        try (TestApplication application = start(onTwoHosts(), Map.of())) {
            for (int i = 0; i < 3; i++) {
                assertThat(bytesOfJob(application)).isLessThan(BYTES / 4);
            }
        }
    }

    @Test
    void memoryThatBecomesShortGetsCompressedBytes() throws IOException {
        try (TestApplication application = start(onOneHost(), Map.of())) {
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(bytesOfJob(application)).isGreaterThan(BYTES));
            try (CrailOutputStream file = application.client().createFile("/half")) {
                for (int i = 0; i <= CAPACITY >> 20; i++) {
                    file.write(new byte[1 << 20]);
                }
            }
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(bytesOfJob(application)).isLessThan(BYTES / 4));
        }
    }
}
