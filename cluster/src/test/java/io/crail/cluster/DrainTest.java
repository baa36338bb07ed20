// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailAdmin.Evacuation;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailView;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.error.CrailException;
import io.crail.error.LeaseLostException;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A storage server is emptied while its data is used, and stopped. */
@Timeout(120)
class DrainTest {
    private static final int FILES = 30;

    private static byte[] content(int file) {
        byte[] bytes = new byte[1 + new Random(file).nextInt(900_000)];
        new Random(file + 1000).nextBytes(bytes);
        return bytes;
    }

    private static byte[] key(int file) {
        return ("k" + file).getBytes(StandardCharsets.UTF_8);
    }

    private static int firstServer(CrailClient client) throws CrailException {
        return client.statistics().servers().get(0).id();
    }

    private static Evacuation evacuate(CrailClient client, int server) throws CrailException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        Evacuation pass;
        do {
            pass = client.admin().evacuate(server, (blocks, bytes) -> {});
        } while (!pass.isEmpty() && System.nanoTime() < end);
        return pass;
    }

    @Test
    void nothingIsLostWhenADrainedServerIsStopped() throws Exception {
        ExecutorService reading = Executors.newSingleThreadExecutor();
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(64 << 20)
                                .segmentSize(64 << 20)
                                .start();
                CrailClient client = cluster.connect()) {
            CrailTable table = client.createTable("/t");
            for (int i = 0; i < FILES; i++) {
                try (CrailOutputStream out = client.createFile("/f" + i)) {
                    out.write(content(i));
                }
                table.put(key(i), content(i));
            }
            int server = firstServer(client);
            assertThat(client.admin().drain(server)).isEqualTo(ServerState.DRAINING);
            AtomicBoolean done = new AtomicBoolean();
            Future<?> reader = reading.submit(() -> readAll(client, done));
            assertThat(evacuate(client, server).isEmpty()).isTrue();
            done.set(true);
            reader.get(60, TimeUnit.SECONDS);
            cluster.stopStorage(0);
            check(client);
        } finally {
            reading.shutdownNow();
        }
    }

    private static Object readAll(CrailClient client, AtomicBoolean done) throws IOException {
        do {
            check(client);
        } while (!done.get());
        return done;
    }

    private static void check(CrailClient client) throws IOException {
        for (int i = 0; i < FILES; i++) {
            try (CrailFile file = client.open("/f" + i)) {
                assertThat(file.newInputStream().readAllBytes()).isEqualTo(content(i));
            }
            assertThat(client.table("/t").get(key(i)).orElseThrow().toByteArray())
                    .isEqualTo(content(i));
        }
    }

    @Test
    void blocksOfStreamsMoveUnderTheirReaders() throws Exception {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(64 << 20)
                                .segmentSize(64 << 20)
                                .start();
                CrailClient client = cluster.connect();
                CrailStream stream = client.createStream("/s", StreamOptions.DEFAULT)) {
            for (int i = 0; i < FILES; i++) {
                stream.append(content(i));
            }
            int server = firstServer(client);
            client.admin().drain(server);
            try (StreamReader begun = stream.readerFromEarliest()) {
                checkRecord(begun, 0);
                assertThat(evacuate(client, server).isEmpty()).isTrue();
                stream.trim(3);
                cluster.stopStorage(0);
                try (StreamReader reader = stream.reader(3)) {
                    for (int i = 3; i < FILES; i++) {
                        checkRecord(reader, i);
                    }
                }
            }
            assertThat(stream.append(content(FILES))).isEqualTo(FILES);
        }
    }

    private static void checkRecord(StreamReader reader, int expected) throws CrailException {
        List<StreamRecord> read = reader.poll(1, Duration.ofSeconds(30));
        assertThat(read).hasSize(1);
        assertThat(read.get(0).offset()).isEqualTo(expected);
        assertThat(read.get(0).toArray()).isEqualTo(content(expected));
    }

    @Test
    void aWriterGoesOnWhileItsFileIsMoved() throws Exception {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(64 << 20)
                                .segmentSize(64 << 20)
                                .start();
                CrailClient client = cluster.connect()) {
            byte[] bytes = new byte[7 << 20];
            new Random(9).nextBytes(bytes);
            int server = firstServer(client);
            try (CrailOutputStream out = client.createFile("/f")) {
                out.write(bytes, 0, 3_500_000);
                out.sync();
                client.admin().drain(server);
                client.admin().evacuate(server, (blocks, sum) -> {});
                out.write(bytes, 3_500_000, bytes.length - 3_500_000);
            }
            assertThat(evacuate(client, server).isEmpty()).isTrue();
            try (CrailFile file = client.open("/f")) {
                assertThat(file.newInputStream().readAllBytes()).isEqualTo(bytes);
            }
            assertThat(client.admin().undrain(server)).isEqualTo(ServerState.LIVE);
        }
    }

    @Test
    void aFullClusterKeepsEverythingAndSaysWhy() throws Exception {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(8 << 20)
                                .segmentSize(8 << 20)
                                .start();
                CrailClient client = cluster.connect()) {
            byte[] bytes = new byte[12 << 20];
            new Random(5).nextBytes(bytes);
            try (CrailOutputStream out = client.createFile("/f")) {
                out.write(bytes);
            }
            int server = firstServer(client);
            client.admin().drain(server);
            Evacuation pass = client.admin().evacuate(server, (blocks, sum) -> {});
            assertThat(pass.isEmpty()).isFalse();
            assertThat(pass.failedBlocks()).isPositive();
            assertThat(pass.failure()).isNotEmpty();
            try (CrailFile file = client.open("/f")) {
                assertThat(file.newInputStream().readAllBytes()).isEqualTo(bytes);
            }
            Statistics.Capacity capacity = client.statistics().classes().get(0);
            assertThat(capacity.granted()).isZero();
        }
    }

    @Test
    void idleWritersDoNotKeepAServerFromBeingEmptied() throws Exception {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(64 << 20)
                                .segmentSize(64 << 20)
                                .start();
                CrailClient client = cluster.connect();
                CrailOutputStream idle = client.createFile("/idle")) {
            CrailTable table = client.createTable("/t");
            for (int i = 0; i < 8; i++) {
                table.put(key(i), content(i));
            }
            int server = firstServer(client);
            client.admin().drain(server);
            assertThat(evacuate(client, server).isEmpty()).isTrue();
            cluster.stopStorage(0);
            idle.write(content(1));
            table.put(key(1), content(2));
            assertThat(table.get(key(1)).orElseThrow().toByteArray()).isEqualTo(content(2));
        }
    }

    @Test
    void byForceAWriterLosesItsFileAndAViewKeepsItsBytes() throws Exception {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(64 << 20)
                                .segmentSize(64 << 20)
                                .start();
                CrailClient operator = cluster.connect();
                CrailClient client = cluster.connect()) {
            CrailTable table = client.createTable("/t");
            int server = firstServer(client);
            int other = operator.statistics().servers().get(1).id();
            operator.admin().drain(other);
            table.put(key(1), content(1));
            CrailOutputStream out = client.createFile("/f");
            out.write(content(2));
            out.sync();
            operator.admin().undrain(other);
            operator.admin().drain(server);
            try (CrailView view = table.getView(key(1)).orElseThrow()) {
                assertThat(operator.admin().evacuate(server, (blocks, sum) -> {}).busyBlocks())
                        .isPositive();
                assertThat(operator.admin().revoke(server).leases()).isEqualTo(1);
                Awaitility.await()
                        .untilAsserted(
                                () -> {
                                    Evacuation pass =
                                            operator.admin().evacuate(server, (blocks, sum) -> {});
                                    assertThat(pass.busyBlocks()).isZero();
                                    assertThat(pass.movedBlocks()).isZero();
                                    // What the view has pinned, and nothing else.
                                    assertThat(pass.usedBytes())
                                            .isPositive()
                                            .isLessThanOrEqualTo(2 * content(1).length + 4096);
                                });
                out.write(content(3));
                assertThatThrownBy(out::close).isInstanceOf(LeaseLostException.class);
                assertThat(bytes(view)).isEqualTo(content(1));
            }
            assertThat(evacuate(operator, server).isEmpty()).isTrue();
            cluster.stopStorage(0);
            assertThat(table.get(key(1)).orElseThrow().toByteArray()).isEqualTo(content(1));
            try (CrailFile file = client.open("/f")) {
                assertThat(file.newInputStream().readAllBytes()).isEqualTo(content(2));
            }
        }
    }

    private static byte[] bytes(CrailView view) throws CrailException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer buffer : view.buffers()) {
            byte[] part = new byte[buffer.remaining()];
            buffer.duplicate().get(part);
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
