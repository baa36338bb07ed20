// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.ClientConfig;
import io.crail.client.ClientStatistics;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.storage.StorageConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients in the process of the storage servers, over their memory. */
class SharedMemoryTest {
    private static final int SEGMENT = 16 << 20;
    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

    @TempDir Path directory;

    private static EmbeddedCluster start(Consumer<StorageConfig.Builder> storage)
            throws IOException {
        return EmbeddedCluster.builder()
                .capacity(SEGMENT)
                .segmentSize(SEGMENT)
                .storage(storage)
                .start();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static void write(CrailClient client, String path, byte[] content) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(content);
        }
    }

    private static byte[] read(CrailClient client, String path) throws IOException {
        try (CrailFile file = client.open(path)) {
            ByteBuffer target = ByteBuffer.allocate((int) file.length());
            file.readFully(0, target);
            return target.array();
        }
    }

    @Test
    void allBytesGoThroughMemoryWithoutBeingAskedTo() throws IOException {
        byte[] content = bytes(3_333_333);
        try (EmbeddedCluster cluster = start(servers -> {});
                CrailClient client = cluster.connect()) {
            write(client, "/file", content);
            assertThat(read(client, "/file")).isEqualTo(content);
            CrailTable table = client.createTable("/table");
            table.put(KEY, content);
            assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(content);

            ClientStatistics statistics = client.clientStatistics();
            assertThat(statistics.over("shm").bytesWritten()).isEqualTo(2L * content.length);
            assertThat(statistics.over("shm").bytesRead())
                    .isGreaterThanOrEqualTo(2L * content.length);
            assertThat(statistics.over("tcp")).isEqualTo(new ClientStatistics.Moved(0, 0, 0));
        }
    }

    @Test
    void largeDirectBuffersAreWrittenFromWhereTheyAre() throws IOException {
        int mebibyte = 1 << 20;
        byte[] content = bytes(7 * mebibyte + 100_000);
        ByteBuffer source = ByteBuffer.allocateDirect(content.length).put(content).flip();
        try (EmbeddedCluster cluster = start(servers -> {});
                CrailClient client = cluster.connect()) {
            CreateOptions options = CreateOptions.builder().expectedBytes(content.length).build();
            try (CrailOutputStream out = client.createFile("/file", options)) {
                out.append(source.limit(mebibyte));
                out.sync();
                out.append(source.limit(2 * mebibyte)); // The pool keeps what is not committed.
                long copies = pooled(client);
                assertThat(copies).isPositive();
                for (int i = 3; i <= 7; i++) {
                    out.append(source.limit(i * mebibyte));
                    assertThat(source.hasRemaining()).isFalse();
                }
                assertThat(pooled(client)).isEqualTo(copies);
                // Less than a block, to whose end it does not reach.
                out.append(source.limit(content.length));
                assertThat(pooled(client)).isGreaterThan(copies);
            }
            assertThat(read(client, "/file")).isEqualTo(content);
        }
    }

    private static long pooled(CrailClient client) {
        ClientStatistics statistics = client.clientStatistics();
        return statistics.poolHits() + statistics.poolMisses();
    }

    /** The pool keeps the beginning of small steps, which it can keep whole. */
    @Test
    void whereCommitsComeInLargeStepsNothingIsCollectedBehindThem() throws IOException {
        int mebibyte = 1 << 20;
        byte[] content = bytes(7 * mebibyte);
        ByteBuffer source = ByteBuffer.allocateDirect(content.length).put(content).flip();
        try (EmbeddedCluster cluster = start(servers -> {});
                CrailClient client = cluster.connect()) {
            CreateOptions options = CreateOptions.builder().expectedBytes(content.length).build();
            try (CrailOutputStream out = client.createFile("/file", options)) {
                assertThat(pooledBy(client, out, source.limit(3 * mebibyte))).isPositive();
                out.sync();
                assertThat(pooledBy(client, out, source.limit(4 * mebibyte))).isZero();
                assertThat(pooledBy(client, out, source.limit(5 * mebibyte))).isZero();
                out.sync();
                assertThat(pooledBy(client, out, source.limit(6 * mebibyte))).isZero();
                out.sync(); // A small step: the next one may be as small.
                assertThat(pooledBy(client, out, source.limit(7 * mebibyte))).isPositive();
            }
            assertThat(read(client, "/file")).isEqualTo(content);
        }
    }

    /** How often an append took memory of the pool. */
    private static long pooledBy(CrailClient client, CrailOutputStream out, ByteBuffer source)
            throws IOException {
        long before = pooled(client);
        out.append(source);
        assertThat(source.hasRemaining()).isFalse();
        return pooled(client) - before;
    }

    @Test
    void directBuffersOfAnyLengthFollowEachOther() throws IOException {
        byte[] content = bytes(14_000_000);
        ByteBuffer source = ByteBuffer.allocateDirect(content.length).put(content).flip();
        Random random = new Random(7);
        try (EmbeddedCluster cluster = start(servers -> {});
                CrailClient client = cluster.connect()) {
            try (CrailOutputStream out = client.createFile("/file")) {
                while (source.position() < content.length) {
                    int length = 1 + random.nextInt(random.nextBoolean() ? 3_000_000 : 70_000);
                    source.limit(Math.min(content.length, source.position() + length));
                    if (random.nextInt(4) == 0) {
                        byte[] copy = new byte[source.remaining()];
                        source.get(copy);
                        out.write(copy);
                    } else {
                        out.append(source);
                    }
                    if (random.nextInt(8) == 0) {
                        assertThat(out.sync().length()).isEqualTo(source.position());
                    }
                }
            }
            assertThat(read(client, "/file")).isEqualTo(content);
        }
    }

    @Test
    void aClientThatMayNotUseMemoryTakesTheNetwork() throws IOException {
        byte[] content = bytes(333_333);
        try (EmbeddedCluster cluster = start(servers -> {});
                CrailClient client =
                        CrailClient.connect(
                                ClientConfig.builder()
                                        .namenodes(List.of(cluster.namenode()))
                                        .sharedMemory(false)
                                        .build())) {
            write(client, "/file", content);
            assertThat(read(client, "/file")).isEqualTo(content);
            assertThat(client.clientStatistics().transports()).containsOnlyKeys("tcp");
        }
    }

    @Test
    void aFileTellsWhichOfItsBytesCameFromMemoryOfThisHost() throws IOException {
        byte[] content = bytes(3_333_333);
        try (EmbeddedCluster cluster = start(servers -> {});
                CrailClient near = cluster.connect();
                CrailClient far =
                        CrailClient.connect(
                                ClientConfig.builder()
                                        .namenodes(List.of(cluster.namenode()))
                                        .sharedMemory(false)
                                        .build())) {
            write(near, "/file", content);
            try (CrailFile file = near.open("/file")) {
                file.readFully(0, ByteBuffer.allocate(content.length));
                assertThat(file.bytesOnThisHost(0, content.length)).isEqualTo(content.length);
                assertThat(file.bytesOnThisHost(1_000_000, 1_500_000)).isEqualTo(1_500_000);
                assertThat(file.bytesOnThisHost(content.length - 10, 100)).isEqualTo(10);
            }
            try (CrailFile file = far.open("/file")) {
                file.readFully(0, ByteBuffer.allocate(content.length));
                assertThat(file.bytesOnThisHost(0, content.length)).isZero();
            }
        }
    }

    @Test
    void whatCannotBeUsedIsPassedOverSilently() throws IOException {
        byte[] content = bytes(333_333);
        try (EmbeddedCluster cluster = start(servers -> servers.directory(directory));
                CrailClient first = cluster.connect()) {
            write(first, "/file", content);
            Files.move(directory.resolve("sessions"), directory.resolve("elsewhere"));
            try (CrailClient second = cluster.connect()) {
                assertThat(read(second, "/file")).isEqualTo(content);
                assertThat(second.clientStatistics().over("tcp").bytesRead()).isPositive();
                assertThat(second.clientStatistics().over("shm").bytesRead()).isZero();
            }
            assertThat(read(first, "/file")).isEqualTo(content);
            assertThat(first.clientStatistics().transports()).containsOnlyKeys("shm");
            Files.move(directory.resolve("elsewhere"), directory.resolve("sessions"));
        }
    }

    @Test
    void aClientThatWasPassedOverReturnsToMemoryWithTheServer() throws IOException {
        byte[] content = bytes(333_333);
        try (EmbeddedCluster cluster = start(servers -> servers.directory(directory));
                CrailClient client = cluster.connect()) {
            Files.move(directory.resolve("sessions"), directory.resolve("elsewhere"));
            write(client, "/file", content);
            assertThat(client.clientStatistics().over("shm").bytesWritten()).isZero();
            Files.move(directory.resolve("elsewhere"), directory.resolve("sessions"));
            cluster.restartStorage(0);
            assertThat(read(client, "/file")).isEqualTo(content);
            assertThat(client.clientStatistics().over("shm").bytesRead()).isPositive();
        }
    }

    @Test
    void aClosedClientLeavesNoSessionFile() throws IOException {
        try (EmbeddedCluster cluster = start(servers -> servers.directory(directory))) {
            try (CrailClient client = cluster.connect()) {
                write(client, "/file", bytes(100_000));
                assertThat(sessionFiles()).hasSize(1);
            }
            Awaitility.await().untilAsserted(() -> assertThat(sessionFiles()).isEmpty());
        }
    }

    private List<Path> sessionFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("sessions"))) {
            return files.toList();
        }
    }

    @Test
    void oneServerIsReadByManyThreadsAndClientsAtATime() throws Exception {
        byte[] content = bytes(2_000_000);
        try (EmbeddedCluster cluster = start(servers -> {});
                CrailClient one = cluster.connect();
                CrailClient two = cluster.connect()) {
            write(one, "/file", content);
            ExecutorService threads = Executors.newFixedThreadPool(6);
            try {
                List<Future<?>> reads = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    CrailClient reader = i % 2 == 0 ? one : two;
                    reads.add(
                            threads.submit(
                                    () -> {
                                        for (int round = 0; round < 50; round++) {
                                            assertThat(read(reader, "/file")).isEqualTo(content);
                                        }
                                        return null;
                                    }));
                }
                for (Future<?> each : reads) {
                    each.get(1, TimeUnit.MINUTES);
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(one.clientStatistics().transports()).containsOnlyKeys("shm");
        }
    }
}
