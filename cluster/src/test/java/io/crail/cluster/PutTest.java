// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.client.CrailTable;
import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Larger values, put one after the other, in blocks that were granted ahead. */
@Timeout(120)
class PutTest {
    private static final int PUTS = 40;

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(2).capacity(128L << 20).start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static CrailClient connect(boolean sharedMemory) throws CrailException {
        return CrailClient.connect(
                ClientConfig.builder()
                        .namenodes(List.of(cluster.namenode()))
                        .sharedMemory(sharedMemory)
                        .build());
    }

    private static byte[] key(int number) {
        return ("k" + number).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static long granted(CrailClient client) throws CrailException {
        return client.statistics().classes().stream().mapToLong(Statistics.Capacity::granted).sum();
    }

    @ParameterizedTest
    @CsvSource({"true, 8192", "true, 102400", "false, 8192", "false, 102400", "false, 2500000"})
    void aPutIsOneCall(boolean sharedMemory, int length) throws Exception {
        String path = "/t" + sharedMemory + length;
        try (CrailClient client = connect(sharedMemory)) {
            CrailTable table = client.createTable(path);
            int single = 0;
            for (int i = 0; i < PUTS; i++) {
                long before = client.clientStatistics().rpcCalls();
                table.put(key(i), value(length, i));
                single += client.clientStatistics().rpcCalls() - before == 1 ? 1 : 0;
            }
            // Those that came after a pause of a second, or beside a keep-alive, show more.
            assertThat(single).isGreaterThan(PUTS / 2);
            for (int i = 0; i < PUTS; i++) {
                assertThat(table.get(key(i)).orElseThrow().toByteArray())
                        .isEqualTo(value(length, i));
            }
            Awaitility.await().untilAsserted(() -> assertThat(granted(client)).isZero());
            client.delete(path, true);
        }
    }

    /** Whoever wrote, in whichever way, both ways of reading find the checksums good. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void valuesOfAnyLengthAreReadBackVerified(boolean sharedMemory) throws Exception {
        String path = "/any" + sharedMemory;
        Random random = new Random(11);
        try (CrailClient writer = connect(sharedMemory);
                CrailClient near = connect(true);
                CrailClient far = connect(false)) {
            CrailTable table = writer.createTable(path);
            for (int round = 0; round < PUTS; round++) {
                int most = round % 10 == 9 ? 5_000_000 : 300_000;
                byte[] value = value(1 + random.nextInt(most), round);
                ByteBuffer heap = ByteBuffer.wrap(value);
                ByteBuffer direct = ByteBuffer.allocateDirect(value.length).put(value).flip();
                table.putAsync(key(round), round % 2 == 0 ? heap : direct).join();
                for (CrailClient reader : List.of(near, far)) {
                    assertThat(reader.table(path).get(key(round)).orElseThrow().toByteArray())
                            .isEqualTo(value);
                }
            }
            writer.delete(path, true);
        }
    }

    @Test
    void manyAtOnceShareTheStock() throws Exception {
        try (CrailClient client = connect(true)) {
            CrailTable table = client.createTable("/many");
            for (int round = 0; round < 3; round++) {
                List<CrailFuture<Long>> puts = new ArrayList<>();
                for (int i = 0; i < PUTS; i++) {
                    int length = 5000 + 1000 * i;
                    puts.add(table.putAsync(key(i), ByteBuffer.wrap(value(length, i + round))));
                }
                puts.forEach(CrailFuture::join);
                assertThat(granted(client)).isLessThanOrEqualTo(16L << 20);
                for (int i = 0; i < PUTS; i++) {
                    assertThat(table.get(key(i)).orElseThrow().toByteArray())
                            .isEqualTo(value(5000 + 1000 * i, i + round));
                }
            }
            client.delete("/many", true);
        }
        try (CrailClient client = connect(true)) {
            Awaitility.await()
                    .untilAsserted(
                            () ->
                                    assertThat(client.statistics().classes())
                                            .allMatch(each -> each.free() == each.capacity()));
        }
    }
}
