// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailFuture;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OffsetOutOfRangeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Views of what has to be read from flash of this host first: it is lent where it was read to. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
class FlashViewTest {
    private static final int MIB = 1 << 20;
    private static final int FLASH = 48 * MIB;

    @TempDir Path directory;
    private EmbeddedCluster cluster;
    private CrailClient client;

    @BeforeEach
    void start() throws IOException {
        cluster = EmbeddedCluster.builder().servers(0).start();
        FlashServer.add(cluster, directory.resolve("crail.img"), FLASH);
        client = cluster.connect();
        client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    /** Writes random bytes to a file. */
    private byte[] write(String path, int length, boolean checksums) throws IOException {
        byte[] content = new byte[length];
        new Random(path.hashCode()).nextBytes(content);
        CreateOptions options = CreateOptions.builder().checksums(checksums).build();
        try (CrailOutputStream out = client.createFile(path, options)) {
            out.write(content);
        }
        return content;
    }

    private void isClean() throws IOException {
        assertThat(client.admin().check(null, looks -> {}).findings()).isEmpty();
        assertThat(client.clientStatistics().checksumFailures()).isZero();
    }

    /** Memory is shared when something large was read. */
    private static void untilItIsLent(CrailFile file) throws IOException {
        ByteBuffer spare = ByteBuffer.allocateDirect(MIB);
        for (int i = 0; i < 1000 && file.bytesReadOnThisHost(0, MIB) == 0; i++) {
            file.viewAsync(0, spare).join().close();
        }
        assertThat(file.bytesReadOnThisHost(0, MIB)).isEqualTo(MIB);
    }

    /** How many pieces are lent at the same time, of all pieces of a file. */
    private static int mostThatAreLent(CrailFile file) {
        List<CrailView> open = new ArrayList<>();
        for (long at = 0; at + MIB <= file.length(); at += MIB) {
            open.add(file.viewAsync(at, ByteBuffer.allocateDirect(MIB)).join());
        }
        int lent = (int) open.stream().filter(CrailView::isZeroCopy).count();
        open.forEach(CrailView::close);
        return lent;
    }

    private static void shows(CrailView view, byte[] content, int from) throws IOException {
        int at = from;
        for (ByteBuffer each : view.buffers()) {
            assertThat(each).isEqualTo(ByteBuffer.wrap(content, at, each.remaining()));
            at += each.remaining();
        }
        assertThat(at - from).isEqualTo(view.length());
    }

    @ParameterizedTest(name = "checksums {0}")
    @ValueSource(booleans = {true, false})
    void whatIsReadIsLentAsFarAsThereIsMemoryAndStaysWhatItIs(boolean checksums)
            throws IOException {
        byte[] content = write("/flash/v", 24 * MIB, checksums);
        try (CrailFile file = client.open("/flash/v")) {
            untilItIsLent(file);
            List<CrailView> open = new ArrayList<>();
            for (int at = 0; at < content.length; at += MIB) {
                open.add(file.viewAsync(at, ByteBuffer.allocateDirect(MIB)).join());
            }
            assertThat(open.get(0).isZeroCopy()).isTrue();
            assertThat(open.get(open.size() - 1).isZeroCopy()).isFalse();
            client.delete("/flash/v", false);
            write("/flash/w", 20 * MIB, checksums);
            for (int i = 0; i < open.size(); i++) {
                shows(open.get(i), content, i * MIB);
                open.get(i).close();
            }
        }
        isClean();
    }

    @Test
    void viewsOfAnyRangeGoToTheirPlaceInTheBuffer() throws IOException {
        Random random = new Random(8);
        byte[] content = write("/flash/r", 5 * MIB + 777, true);
        try (CrailFile file = client.open("/flash/r")) {
            for (int i = 0; i < 100; i++) {
                int from = random.nextInt(content.length);
                int length = random.nextInt(Math.min(content.length - from, 2 * MIB) + 1);
                ByteBuffer spare = ByteBuffer.allocateDirect(length + 3).position(3);
                try (CrailView view = file.viewAsync(from, spare).join()) {
                    shows(view, content, from);
                    assertThat(view.length()).isEqualTo(length);
                }
                assertThat(spare.position()).isEqualTo(3);
            }
            ByteBuffer beyond = ByteBuffer.allocateDirect(2);
            assertThatThrownBy(() -> file.viewAsync(content.length - 1, beyond).join())
                    .hasCauseInstanceOf(OffsetOutOfRangeException.class);
            assertThatThrownBy(() -> file.viewAsync(0, ByteBuffer.allocate(2)).join())
                    .hasCauseInstanceOf(InvalidArgumentException.class);
        }
    }

    /** Some of them in the moment in which they are lent, or have just been. */
    @ParameterizedTest(name = "checksums {0}")
    @ValueSource(booleans = {true, false})
    void whatIsCalledOffAtAnyMomentGivesBackWhatItWasLent(boolean checksums) throws IOException {
        Random random = new Random(9);
        byte[] content = write("/flash/c", 24 * MIB, checksums);
        ByteBuffer spare = ByteBuffer.allocateDirect(MIB);
        int calledOff = 0;
        int rounds = 600;
        try (CrailFile file = client.open("/flash/c")) {
            untilItIsLent(file);
            // Checksums, which take room, are believed when they were read twice.
            mostThatAreLent(file);
            mostThatAreLent(file);
            int most = mostThatAreLent(file);
            assertThat(most).isPositive();
            long usual = nanosOfOne(file);
            for (int round = 0; round < rounds; round++) {
                int from = random.nextInt(content.length - MIB);
                long end = System.nanoTime() + random.nextLong(2 * usual);
                CrailFuture<CrailView> reading = file.viewAsync(from, spare);
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                if (reading.cancel(true)) {
                    calledOff++;
                } else {
                    try (CrailView view = reading.join()) {
                        shows(view, content, from);
                    }
                }
            }
            // What was called off is over when its command is.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(mostThatAreLent(file)).isEqualTo(most));
        }
        assertThat(calledOff).isBetween(1, rounds - 1);
        isClean();
    }

    /** How long it takes to read one, by the median of some. */
    private static long nanosOfOne(CrailFile file) {
        long[] nanos = new long[21];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            file.viewAsync((long) i * MIB, ByteBuffer.allocateDirect(MIB)).join().close();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }
}
