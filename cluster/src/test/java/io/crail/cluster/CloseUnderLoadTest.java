// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailFuture;
import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client is closed while many threads of it have calls under way. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CloseUnderLoadTest {
    private static final int THREADS = 12;
    private static final int CHUNK = 1 << 20;
    private static final int AT_A_TIME = 8;
    private static final int ROUNDS = 10;

    /** Longer than the test may take: what ended only with its deadline would be noticed. */
    private static final Duration NEVER = Duration.ofMinutes(10);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyCallEndsSoonAndSoDoesTheClose(boolean sharedMemory) throws Exception {
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().servers(2).capacity(256 << 20).start()) {
            for (int round = 0; round < ROUNDS; round++) {
                closeInTheMiddle(cluster, sharedMemory, round);
            }
        }
    }

    private static void closeInTheMiddle(EmbeddedCluster cluster, boolean sharedMemory, int round)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CountDownLatch begun = new CountDownLatch(THREADS);
        List<Future<?>> work = new ArrayList<>();
        CrailClient client =
                CrailClient.connect(
                        ClientConfig.builder()
                                .namenodes(List.of(cluster.namenode()))
                                .sharedMemory(sharedMemory)
                                .deadline(NEVER)
                                .build());
        try {
            for (int i = 0; i < THREADS; i++) {
                String path = "/" + sharedMemory + "-" + round + "-" + i;
                boolean writes = i % 2 == 0;
                work.add(
                        threads.submit(
                                () -> {
                                    if (writes) {
                                        write(client, path, begun);
                                    } else {
                                        read(client, path, begun);
                                    }
                                    return null;
                                }));
            }
            begun.await();
            client.close();
            for (Future<?> each : work) {
                // They go on until they fail: as closed, or by what the end of a session means.
                assertThatThrownBy(each::get).hasRootCauseInstanceOf(CrailException.class);
            }
        } finally {
            client.close();
            threads.shutdownNow();
        }
    }

    private static void write(CrailClient client, String path, CountDownLatch begun)
            throws Exception {
        for (int file = 0; ; file++) {
            try (CrailOutputStream out = client.createFile(path + "-" + file)) {
                List<CrailFuture<Void>> underWay = new ArrayList<>();
                for (int i = 0; i < AT_A_TIME; i++) {
                    underWay.add(out.appendAsync(ByteBuffer.allocateDirect(CHUNK)));
                }
                begun.countDown();
                for (CrailFuture<Void> each : underWay) {
                    each.get();
                }
            }
            client.delete(path + "-" + file, false);
        }
    }

    private static void read(CrailClient client, String path, CountDownLatch begun)
            throws Exception {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(new byte[4 * CHUNK]);
        }
        while (true) {
            try (CrailFile file = client.open(path)) {
                List<CrailFuture<Integer>> underWay = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    underWay.add(
                            file.readAsync((long) i * CHUNK, ByteBuffer.allocateDirect(CHUNK)));
                }
                begun.countDown();
                for (CrailFuture<Integer> each : underWay) {
                    each.get();
                }
            }
        }
    }
}
