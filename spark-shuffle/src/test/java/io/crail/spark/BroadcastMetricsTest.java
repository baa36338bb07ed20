// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.broadcast.TorrentBroadcast;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Spark's metrics say of broadcasts is so. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BroadcastMetricsTest {
    private static final int MIB = 1 << 20;

    private static TestApplication start(Map<String, String> settings) throws IOException {
        return TestApplication.start("local[2]", settings);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static long of(String name) {
        return PluginMetrics.of("broadcast." + name);
    }

    private static long fileLength(TestApplication application, Broadcast<?> broadcast)
            throws IOException {
        String path = application.directory() + "/broadcast-" + broadcast.id();
        return application.client().lookup(path).orElseThrow().length();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsWrittenAndReadIsCounted(boolean sameHost) throws IOException {
        try (TestApplication application =
                start(Map.of("spark.crail.client.shared-memory", Boolean.toString(sameHost)))) {
            Broadcast<byte[]> broadcast = application.spark().broadcast(bytes(8 * MIB));
            long length = fileLength(application, broadcast);
            assertThat(of("valuesWritten")).isEqualTo(1);
            assertThat(of("bytesWritten")).isEqualTo(length).isGreaterThan(8 * MIB);
            assertThat(of("chunksEncoded")).isZero(); // They are random.
            assertThat(of("writeNanos")).isPositive();
            assertThat(of("valuesRead")).isZero();

            assertThat(BroadcastCopies.readAnew(broadcast).value()).hasSize(8 * MIB);
            assertThat(BroadcastCopies.copy(broadcast).value()).hasSize(8 * MIB);
            assertThat(of("valuesRead")).isEqualTo(1);
            // All but the table.
            assertThat(of("bytesRead")).isBetween(8L * MIB, length - 1);
            assertThat(of("bytesRead.sameHost")).isEqualTo(sameHost ? of("bytesRead") : 0);
            assertThat(of("chunksDecoded")).isZero();
            assertThat(of("readNanos")).isPositive();
        }
    }

    @Test
    void chunksThatAreCompressedAreCounted() throws IOException {
        try (TestApplication application = start(Map.of())) {
            Broadcast<byte[]> broadcast = application.spark().broadcast(new byte[8 * MIB]);
            assertThat(of("chunksEncoded")).isBetween(8L, 9L);
            assertThat(of("bytesWritten")).isLessThan(MIB);
            assertThat(BroadcastCopies.readAnew(broadcast).value()).hasSize(8 * MIB);
            assertThat(of("chunksDecoded")).isEqualTo(of("chunksEncoded"));
        }
    }

    @Test
    void whatIsWrittenAgainIsCounted() throws IOException {
        try (TestApplication application = start(Map.of())) {
            byte[] value = bytes(5 * MIB);
            Broadcast<byte[]> broadcast = application.spark().broadcast(value);
            application
                    .client()
                    .delete(application.directory() + "/broadcast-" + broadcast.id(), false);
            assertThat(BroadcastCopies.readAnew(broadcast).value()).isEqualTo(value);
            assertThat(of("valuesWritten")).isEqualTo(2);
            assertThat(of("valuesWrittenAgain")).isEqualTo(1);
            assertThat(of("valuesRead")).isEqualTo(1);
        }
    }

    @Test
    void whatIsLeftToSparkIsCounted() throws IOException {
        try (TestApplication application = start(Map.of())) {
            long before = of("valuesLeftToSpark");
            assertThat(application.spark().broadcast(List.of(1)))
                    .isInstanceOf(TorrentBroadcast.class);
            assertThat(of("valuesLeftToSpark")).isEqualTo(before + 1);
            assertThat(of("valuesRefused")).isZero();
            try (CrailOutputStream others =
                    application.client().createFile("/others", CreateOptions.DEFAULT)) {
                byte[] some = bytes(MIB);
                for (int i = 0; i < 500; i++) {
                    others.write(some);
                }
            }
            assertThat(application.spark().broadcast(bytes(40 * MIB)))
                    .isInstanceOf(TorrentBroadcast.class);
            assertThat(of("valuesLeftToSpark")).isEqualTo(before + 2);
            assertThat(of("valuesRefused")).isEqualTo(1);
            assertThat(of("valuesWritten")).isZero();
        }
    }
}
