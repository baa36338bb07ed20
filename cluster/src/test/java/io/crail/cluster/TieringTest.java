// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.BlockLocation;
import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailTiering;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.client.RenameOption;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.error.CorruptDataException;
import io.crail.error.InvalidArgumentException;
import io.crail.mover.Mover;
import io.crail.mover.MoverConfig;
import io.crail.namenode.tier.TierConfig;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.TierStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes move between a server of class 0 and one of class 1 while they are used. */
@Timeout(120)
class TieringTest {
    private static final int MIB = 1 << 20;
    private static final int CAPACITY = 32 * MIB;

    /** Of 32 MiB, as {@link TierConfig} has them below. */
    private static final long LOW = CAPACITY / 2;

    private static EmbeddedCluster start(Duration idle, boolean movers) throws IOException {
        AtomicInteger nextClass = new AtomicInteger();
        return EmbeddedCluster.builder()
                .servers(2)
                .capacity(CAPACITY)
                .segmentSize(CAPACITY)
                .movers(movers)
                .namenode(builder -> builder.tiers(new TierConfig(75, 50, idle, 3)))
                .storage(server -> server.storageClass(nextClass.getAndIncrement() % 2))
                .start();
    }

    private static byte[] content(int file) {
        byte[] bytes = new byte[MIB / 2 + new Random(file).nextInt(MIB)];
        new Random(file + 1000).nextBytes(bytes);
        return bytes;
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

    private static byte[] key(int number) {
        return ("k" + number).getBytes(StandardCharsets.UTF_8);
    }

    /** Fills class 0 with files and values up to the high mark, and beyond. */
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

    private static void awaitLow(CrailClient client) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(use(client, 0).used()).isLessThanOrEqualTo(LOW));
    }

    private static void assertClean(CrailClient client) throws IOException {
        assertThat(client.admin().check(null, things -> {}).findings()).isEmpty();
    }

    private static void awaitNothingGranted(CrailClient client) {
        Awaitility.await()
                .untilAsserted(
                        () ->
                                assertThat(client.statistics().classes())
                                        .extracting(Statistics.Capacity::granted)
                                        .containsOnly(0L));
    }

    private static Mover mover(EmbeddedCluster cluster, long bytesPerSecond) {
        ClientConfig client =
                ClientConfig.builder()
                        .namenodes(List.of(cluster.namenode()))
                        .clientName("test-mover")
                        .build();
        return Mover.start(MoverConfig.of(client, 0, bytesPerSecond));
    }

    @Test
    void aClassThatIsTooFullIsRelievedUnderItsReadersAndKeepsAllBytes() throws Exception {
        ExecutorService reading = Executors.newSingleThreadExecutor();
        try (EmbeddedCluster cluster = start(Duration.ZERO, false);
                CrailClient client = cluster.connect()) {
            int count = fill(client);
            assertThat(use(client, 1).used()).isZero();
            AtomicBoolean done = new AtomicBoolean();
            try (CrailView view = client.table("/t").getView(key(0)).orElseThrow();
                    Mover mover = mover(cluster, 0)) {
                Future<?> reader = reading.submit(() -> readAll(client, count, done));
                awaitLow(client);
                done.set(true);
                reader.get(60, TimeUnit.SECONDS);
                assertThat(bytes(view)).isEqualTo(content(500));
                Awaitility.await()
                        .untilAsserted(
                                () ->
                                        assertThat(mover.statistics().demotedBytes())
                                                .isEqualTo(use(client, 0).demoted())
                                                .isPositive());
                assertThat(mover.statistics().promotedBytes()).isZero();
                assertThat(mover.statistics().failedBlocks()).isZero();
            }
            assertThat(use(client, 0).used()).isBetween(LOW - 2L * MIB, LOW);
            check(client, count);
            awaitNothingGranted(client);
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
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer buffer : view.buffers()) {
            byte[] part = new byte[buffer.remaining()];
            buffer.duplicate().get(part);
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Nobody starts a mover here: each server has one. */
    @Test
    void theClusterRelievesItselfAndBringsBackWhatIsHot() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ofSeconds(1), true);
                CrailClient client = cluster.connect()) {
            client.admin().tiering().pause(true);
            int count = fill(client);
            client.admin().tiering().pause(false);
            awaitLow(client);
            check(client, count);
            String cold = null;
            for (int i = 0; i < count && cold == null; i++) {
                cold = classes(client, "/f" + i).equals(List.of(1)) ? "/f" + i : null;
            }
            assertThat(cold).isNotNull();
            String hot = String.valueOf(cold);
            byte[] bytes = read(client, hot);
            for (int i = 0; i < count; i++) {
                if (!hot.equals("/f" + i) && classes(client, "/f" + i).contains(0)) {
                    client.delete("/f" + i, false);
                }
            }
            Awaitility.await()
                    .untilAsserted(
                            () -> {
                                assertThat(read(client, hot)).isEqualTo(bytes);
                                assertThat(classes(client, hot)).containsExactly(0);
                            });
            assertThat(use(client, 1).promoted()).isPositive();
            assertClean(client);
        }
    }

    private static List<Integer> classes(CrailClient client, String path) throws IOException {
        return client.locations(path).stream().map(BlockLocation::storageClass).distinct().toList();
    }

    @Test
    void whoAppendsRemovesReplacesAndCutsMeanwhileHasItHisWay() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, false);
                CrailClient client = cluster.connect()) {
            int count = fill(client);
            CrailStream stream = client.createStream("/s", StreamOptions.DEFAULT);
            stream.append(content(900));
            List<byte[]> expected = new ArrayList<>();
            try (Mover mover = mover(cluster, 0)) {
                for (int i = 0; i < count; i++) {
                    expected.add(change(client, i));
                }
                stream.append(content(901));
                // Once at the low mark, it may have grown again: up to the high one nothing moves.
                Awaitility.await().until(() -> use(client, 0).toDemote() == 0);
                assertThat(mover.statistics().movedBlocks()).isPositive();
                assertThat(mover.statistics().failedBlocks()).isZero();
            }
            for (int i = 0; i < count; i++) {
                if (expected.get(i).length == 0) {
                    assertThat(client.lookup("/f" + i)).isEmpty();
                } else {
                    assertThat(read(client, "/f" + i)).isEqualTo(expected.get(i));
                }
            }
            try (StreamReader reader = stream.readerFromEarliest()) {
                for (int i = 900; i < 902; i++) {
                    assertThat(reader.poll(1, Duration.ofSeconds(30)).get(0).toArray())
                            .isEqualTo(content(i));
                }
            }
            stream.close();
            awaitNothingGranted(client);
            assertClean(client);
        }
    }

    /** What the file holds then; nothing = it is gone. */
    private static byte[] change(CrailClient client, int file) throws IOException {
        String path = "/f" + file;
        byte[] before = content(file);
        ByteArrayOutputStream after = new ByteArrayOutputStream();
        switch (file % 5) {
            case 0 -> {
                try (CrailOutputStream out = client.append(path)) {
                    out.write(content(file + 100));
                }
                after.writeBytes(before);
                after.writeBytes(content(file + 100));
            }
            case 1 -> client.delete(path, false);
            case 2 -> {
                write(client, "/new", content(file + 100));
                client.rename("/new", path, RenameOption.REPLACE);
                after.writeBytes(content(file + 100));
            }
            case 3 -> {
                client.truncate(path, 70_001);
                after.write(before, 0, 70_001);
            }
            default -> after.writeBytes(before);
        }
        return after.toByteArray();
    }

    @Test
    void aMoverThatWouldTakeDaysHearsThatItNeedNot() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, false);
                CrailClient client = cluster.connect()) {
            int count = fill(client);
            CrailTiering tiering = client.admin().tiering();
            tiering.setRate(1);
            try (Mover mover = mover(cluster, 0)) {
                Awaitility.await().until(() -> mover.statistics().movedBlocks() > 0);
                Awaitility.await().until(() -> tiering.status().movers().get(0).planned() == 0);
                assertThat(mover.statistics().movedBlocks()).isEqualTo(1);
                tiering.setRate(0);
                awaitLow(client);
            }
            check(client, count);
            assertClean(client);
        }
    }

    @Test
    void aMoverThatStopsInTheMiddleLosesNothingAndAnotherGoesOn() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, false);
                CrailClient client = cluster.connect()) {
            int count = fill(client);
            try (Mover mover = mover(cluster, 4L * MIB)) {
                Awaitility.await().until(() -> mover.statistics().movedBlocks() > 0);
            }
            assertThat(use(client, 0).used()).isGreaterThan(LOW);
            awaitNothingGranted(client);
            assertThat(client.admin().tiering().status().movers()).isEmpty();
            check(client, count);
            try (Mover mover = mover(cluster, 0)) {
                awaitLow(client);
                assertThat(mover.statistics().movedBlocks()).isPositive();
            }
            check(client, count);
            assertClean(client);
        }
    }

    @Test
    void aServerThatIsRestartedMeanwhileIsWaitedFor() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, false);
                CrailClient client = cluster.connect()) {
            int count = fill(client);
            // Remembered, while what the namenode was about to do is not: only the high mark
            // counts.
            client.admin().tiering().setMarks(50, 40);
            try (Mover mover = mover(cluster, 8L * MIB)) {
                Awaitility.await().until(() -> mover.statistics().movedBlocks() > 0);
                cluster.restartStorage(0);
                cluster.restartNamenode();
                cluster.restartStorage(1);
                awaitLow(client);
            }
            check(client, count);
            awaitNothingGranted(client);
            assertClean(client);
        }
    }

    @Test
    void aFullTargetKeepsEverythingWhereItIs() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, false);
                CrailClient client = cluster.connect()) {
            client.mkdir("/slow", CreateOptions.builder().storageClass(1).build());
            write(client, "/slow/f", new byte[25 * MIB]);
            int count = fill(client);
            try (Mover mover = mover(cluster, 0)) {
                CrailTiering tiering = client.admin().tiering();
                Awaitility.await().until(() -> !tiering.status().movers().isEmpty());
                assertThat(use(client, 0).toDemote()).isPositive();
                assertThat(mover.statistics().movedBlocks()).isZero();
                client.delete("/slow/f", false);
                awaitLow(client);
            }
            check(client, count);
            assertClean(client);
        }
    }

    @Test
    void nodesWithoutChecksumsMoveToo() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, false);
                CrailClient client = cluster.connect()) {
            int count = 0;
            while (use(client, 0).used() <= 25L * MIB) {
                try (CrailOutputStream out =
                        client.createFile(
                                "/n" + count, CreateOptions.builder().checksums(false).build())) {
                    out.write(content(count++));
                }
            }
            try (Mover mover = mover(cluster, 0)) {
                awaitLow(client);
                assertThat(mover.statistics().failedBlocks()).isZero();
            }
            for (int i = 0; i < count; i++) {
                assertThat(read(client, "/n" + i)).isEqualTo(content(i));
            }
            assertClean(client);
        }
    }

    @Test
    void aPausedClusterMovesNothingUntilItIsTold() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ZERO, true);
                CrailClient client = cluster.connect()) {
            CrailTiering tiering = client.admin().tiering();
            tiering.pause(true);
            fill(client);
            Awaitility.await().until(() -> tiering.status().movers().size() == 2);
            assertThat(use(client, 0).demoted()).isZero();
            tiering.pause(false);
            awaitLow(client);
            tiering.setMarks(45, 40);
            Awaitility.await().until(() -> use(client, 0).used() <= CAPACITY / 5 * 2);
            assertThatThrownBy(() -> tiering.setMarks(20, 40))
                    .isInstanceOf(InvalidArgumentException.class);
        }
    }

    @Test
    void aSubtreeMovesWhenItIsAskedFor() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ofDays(1), false);
                CrailClient client = cluster.connect()) {
            client.mkdir("/d");
            client.mkdir("/d/pinned", CreateOptions.builder().storageClass(1).build());
            write(client, "/d/f", content(1));
            write(client, "/d/pinned/f", content(2));
            write(client, "/e", content(3));
            CrailTiering tiering = client.admin().tiering();
            CrailTiering.Relocation done = tiering.relocate("/d", 1, (blocks, bytes) -> {});
            assertThat(done.movedBytes()).isEqualTo(content(1).length);
            assertThat(classes(client, "/d/f")).containsExactly(1);
            assertThat(classes(client, "/e")).containsExactly(0);
            CrailTiering.Relocation back = tiering.relocate("/", 0, (blocks, bytes) -> {});
            assertThat(back.movedBytes()).isEqualTo(content(1).length);
            assertThat(back.pinnedBlocks()).isPositive();
            assertThat(classes(client, "/d/f")).containsExactly(0);
            assertThat(classes(client, "/d/pinned/f")).containsExactly(1);
            assertThat(read(client, "/d/f")).isEqualTo(content(1));
            assertClean(client);
        }
    }

    @Test
    void whatIsDamagedStaysAndIsTold() throws Exception {
        try (EmbeddedCluster cluster = start(Duration.ofDays(1), false);
                CrailClient client = cluster.connect()) {
            write(client, "/good", content(1));
            write(client, "/bad", content(2));
            CrailTiering tiering = client.admin().tiering();
            flip(cluster.storage(0).directory(), content(2));
            CrailTiering.Relocation done = tiering.relocate("/", 1, (blocks, bytes) -> {});
            assertThat(done.failedBlocks()).isEqualTo(1);
            assertThat(done.failure()).contains("/bad");
            assertThat(classes(client, "/good")).containsExactly(1);
            assertThat(classes(client, "/bad")).contains(0);
            assertThatThrownBy(() -> read(client, "/bad")).isInstanceOf(CorruptDataException.class);
            flip(cluster.storage(0).directory(), content(2));
            tiering.relocate("/", 1, (blocks, bytes) -> {});
            assertThat(classes(client, "/bad")).containsExactly(1);
            assertThat(read(client, "/bad")).isEqualTo(content(2));
            awaitNothingGranted(client);
            assertClean(client);
        }
    }

    /** Flips a bit of the second chunk of a file, where its first one is followed by it. */
    private static void flip(Path directory, byte[] content) throws IOException {
        int chunk = 4096;
        byte[] first = Arrays.copyOf(content, chunk);
        int flipped = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    ByteBuffer at = ByteBuffer.allocate(chunk);
                    for (long i = 0; channel.read(at.clear(), i) == chunk; i += chunk) {
                        if (Arrays.equals(at.array(), first)) {
                            ByteBuffer one = ByteBuffer.allocate(1);
                            channel.read(one, i + chunk);
                            one.put(0, (byte) (one.get(0) ^ 1));
                            channel.write(one.flip(), i + chunk);
                            flipped++;
                        }
                    }
                }
            }
        }
        assertThat(flipped).isEqualTo(1);
    }
}
