// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.BlockLocation;
import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailTiering;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.mover.Mover;
import io.crail.mover.MoverConfig;
import io.crail.namenode.tier.TierConfig;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.TierStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
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
import org.junit.jupiter.api.io.TempDir;

/** Nodes move between memory, class 0, and flash behind the built-in target, class 1. */
@Timeout(120)
class FlashTieringTest {
    private static final int MIB = 1 << 20;
    private static final int MEMORY = 32 * MIB;
    private static final int FLASH = 64 * MIB;

    /** Of the memory, as {@link TierConfig} has them below. */
    private static final long LOW = MEMORY / 2;

    @TempDir Path directory;

    private EmbeddedCluster start(Duration idle, boolean movers) throws IOException {
        EmbeddedCluster cluster =
                EmbeddedCluster.builder()
                        .capacity(MEMORY)
                        .segmentSize(MEMORY)
                        .movers(movers)
                        .namenode(builder -> builder.tiers(new TierConfig(75, 50, idle, 3)))
                        .start();
        try {
            FlashServer.add(cluster, directory.resolve("crail.img"), FLASH);
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static byte[] content(int number) {
        byte[] bytes = new byte[MIB / 2 + new Random(number).nextInt(MIB)];
        new Random(number + 1000).nextBytes(bytes);
        return bytes;
    }

    private static byte[] key(int number) {
        return ("k" + number).getBytes(StandardCharsets.UTF_8);
    }

    private static void write(CrailClient client, String path, byte[] bytes) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(bytes);
        }
    }

    private static byte[] read(CrailClient client, String path) throws IOException {
        try (CrailFile file = client.open(path)) {
            return file.newInputStream().readAllBytes();
        }
    }

    /** Files and values in turn, until the memory is used above its high-water mark. */
    private static int fill(CrailClient client) throws IOException {
        CrailTable table = client.createTable("/t");
        int count = 0;
        while (use(client, 0).used() <= 26L * MIB) {
            write(client, "/f" + count, content(count));
            table.put(key(count), content(count + 500));
            count++;
        }
        return count;
    }

    private static void check(CrailClient client, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            assertThat(read(client, "/f" + i)).isEqualTo(content(i));
            assertThat(client.table("/t").get(key(i)).orElseThrow().toByteArray())
                    .isEqualTo(content(i + 500));
        }
    }

    private static TierStatus.ClassUse use(CrailClient client, int storageClass)
            throws IOException {
        return client.admin().tiering().status().classes().stream()
                .filter(each -> each.storageClass() == storageClass)
                .findFirst()
                .orElseThrow();
    }

    private static long committed(CrailClient client, int storageClass) throws IOException {
        return client.statistics().classes().stream()
                .filter(each -> each.storageClass() == storageClass)
                .mapToLong(Statistics.Capacity::committed)
                .sum();
    }

    private static void awaitLow(CrailClient client) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(use(client, 0).used()).isLessThanOrEqualTo(LOW));
    }

    private static List<Integer> classes(CrailClient client, String path) throws IOException {
        return client.locations(path).stream()
                .map(BlockLocation::storageClass)
                .distinct()
                .sorted()
                .toList();
    }

    /** All bytes are where they were written, nothing is granted, and both sides agree. */
    private static void assertClean(CrailClient client) throws IOException {
        Awaitility.await()
                .untilAsserted(
                        () ->
                                assertThat(client.statistics().classes())
                                        .extracting(Statistics.Capacity::granted)
                                        .containsOnly(0L));
        assertThat(client.admin().check(null, things -> {}).findings()).isEmpty();
    }

    /** Nobody starts a mover here: each server has one. */
    @Test
    void coldNodesGoToFlashUnderTheirReadersAndWhatIsOpenStays() throws Exception {
        ExecutorService reading = Executors.newSingleThreadExecutor();
        byte[] written = content(900);
        try (EmbeddedCluster cluster = start(Duration.ZERO, true);
                CrailClient client = cluster.connect();
                CrailClient other = cluster.connect()) {
            client.admin().tiering().pause(true);
            int count = fill(client);
            AtomicBoolean done = new AtomicBoolean();
            try (CrailView view = client.table("/t").getView(key(0)).orElseThrow();
                    CrailOutputStream out = client.createFile("/written")) {
                out.write(written, 0, 300_000);
                out.sync();
                Future<?> reader = reading.submit(() -> readAll(other, count, done));
                client.admin().tiering().pause(false);
                awaitLow(client);
                done.set(true);
                reader.get(60, TimeUnit.SECONDS);
                assertThat(bytes(view)).isEqualTo(content(500));
                assertThat(classes(client, "/written")).containsExactly(0);
                out.write(written, 300_000, written.length - 300_000);
            }
            assertThat(read(other, "/written")).isEqualTo(written);
            assertThat(use(client, 0).demoted()).isPositive();
            assertThat(use(client, 1).used()).isPositive();
            check(other, count);
            assertClean(client);
        } finally {
            reading.shutdownNow();
        }
    }

    private static Object readAll(CrailClient client, int count, AtomicBoolean done)
            throws IOException {
        do {
            check(client, count);
        } while (!done.get());
        return done;
    }

    private static byte[] bytes(CrailView view) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) view.length());
        view.buffers().forEach(part -> all.put(part.duplicate()));
        return all.array();
    }

    @Test
    void whatIsReadAgainAndAgainComesBackFromFlash() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ofMinutes(1), true);
                CrailClient client = cluster.connect()) {
            byte[] bytes = content(1);
            CreateOptions onFlash = CreateOptions.builder().storageClass(1).build();
            try (CrailOutputStream out = client.createFile("/kept", onFlash)) {
                out.write(bytes);
            }
            write(client, "/hot", bytes);
            client.admin().tiering().relocate("/hot", 1, (blocks, moved) -> {});
            assertThat(classes(client, "/hot")).containsExactly(1);
            Awaitility.await()
                    .untilAsserted(
                            () -> {
                                assertThat(read(client, "/hot")).isEqualTo(bytes);
                                assertThat(read(client, "/kept")).isEqualTo(bytes);
                                assertThat(classes(client, "/hot")).containsExactly(0);
                            });
            assertThat(use(client, 1).promoted()).isEqualTo(bytes.length);
            assertThat(classes(client, "/kept")).containsExactly(1);
            assertThat(read(client, "/hot")).isEqualTo(bytes);
            assertClean(client);
        }
    }

    /** Blocks of flash are large: a copy takes what its bytes need, not what they lay in. */
    @Test
    void smallValuesTakeNoMoreMemoryWhenTheyAreBack() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ofMinutes(1), false);
                CrailClient client = cluster.connect()) {
            CrailTable table = client.createTable("/t");
            for (int i = 0; i < 20; i++) {
                table.put(key(i), Arrays.copyOf(content(i), 9_000 + i));
            }
            CrailTiering tiering = client.admin().tiering();
            tiering.relocate("/t", 1, (blocks, moved) -> {});
            assertThat(committed(client, 0)).isZero();
            tiering.relocate("/t", 0, (blocks, moved) -> {});
            assertThat(committed(client, 1)).isZero();
            assertThat(committed(client, 0)).isBetween(20L * 9_000, 20L * 16_384);
            for (int i = 0; i < 20; i++) {
                assertThat(table.get(key(i)).orElseThrow().toByteArray())
                        .isEqualTo(Arrays.copyOf(content(i), 9_000 + i));
            }
            assertClean(client);
        }
    }

    /** A part of one file is enough to get down to the mark. */
    @Test
    void aFileThatSpansMemoryAndFlashIsReadAsOne() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, true);
                CrailClient client = cluster.connect()) {
            byte[] bytes = new byte[28 * MIB + 12_345];
            new Random(7).nextBytes(bytes);
            write(client, "/big", bytes);
            awaitLow(client);
            assertThat(classes(client, "/big")).containsExactly(0, 1);
            assertThat(read(client, "/big")).isEqualTo(bytes);
            Random random = new Random(8);
            try (CrailClient other = cluster.connect();
                    CrailFile file = other.open("/big")) {
                for (int i = 0; i < 100; i++) {
                    int from = random.nextInt(bytes.length);
                    int length = 1 + random.nextInt(Math.min(3 * MIB, bytes.length - from));
                    ByteBuffer part = ByteBuffer.allocateDirect(length);
                    file.readFully(from, part);
                    assertThat(part.flip()).isEqualTo(ByteBuffer.wrap(bytes, from, length));
                }
            }
            byte[] more = Arrays.copyOf(bytes, 100_000);
            try (CrailOutputStream out = client.append("/big")) {
                out.write(more);
            }
            byte[] all = read(client, "/big");
            assertThat(Arrays.copyOf(all, bytes.length)).isEqualTo(bytes);
            assertThat(Arrays.copyOfRange(all, bytes.length, all.length)).isEqualTo(more);
            assertClean(client);
        }
    }

    @Test
    void aMoverThatStopsAndAServerOfFlashThatIsRestartedLoseNothing() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, false);
                CrailClient client = cluster.connect()) {
            int count = fill(client);
            try (Mover mover = mover(cluster, 8L * MIB)) {
                Awaitility.await().until(() -> mover.statistics().movedBlocks() > 0);
            }
            assertThat(use(client, 0).used()).isGreaterThan(LOW);
            check(client, count);
            try (Mover mover = mover(cluster, 8L * MIB)) {
                Awaitility.await().until(() -> mover.statistics().movedBlocks() > 0);
                cluster.restartStorage(1);
                awaitLow(client);
            }
            check(client, count);
            assertClean(client);
        }
    }

    private static Mover mover(EmbeddedCluster cluster, long bytesPerSecond) {
        ClientConfig client =
                ClientConfig.builder()
                        .namenodes(List.of(cluster.namenode()))
                        .clientName("test-mover")
                        .deadline(Duration.ofSeconds(10))
                        .build();
        return Mover.start(MoverConfig.of(client, 0, bytesPerSecond));
    }
}
