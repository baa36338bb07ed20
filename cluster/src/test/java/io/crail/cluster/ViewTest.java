// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.error.BusyException;
import io.crail.error.ClosedException;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Views of files and values, in place and over the network. */
class ViewTest {
    private static final int SEGMENT = 16 << 20;
    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

    @TempDir Path directory;
    private EmbeddedCluster cluster;
    private CrailClient client;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    ViewTest() {}

    @BeforeEach
    void start() throws IOException {
        cluster =
                EmbeddedCluster.builder()
                        .capacity(SEGMENT)
                        .segmentSize(SEGMENT)
                        .storage(storage -> storage.directory(directory.resolve("server")))
                        .start();
        client = cluster.connect();
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    private ClientConfig.Builder config() {
        return ClientConfig.builder().namenodes(List.of(cluster.namenode()));
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private void write(String path, byte[] content) throws CrailException {
        try (CrailOutputStream out = client.createFile(path, CreateOptions.OVERWRITE)) {
            out.write(content);
        }
    }

    private static byte[] content(CrailView view) throws CrailException {
        byte[] all = new byte[(int) view.length()];
        int at = 0;
        for (ByteBuffer buffer : view.buffers()) {
            assertThat(buffer.isReadOnly()).isTrue();
            int length = buffer.remaining();
            buffer.get(all, at, length);
            at += length;
        }
        assertThat(at).isEqualTo(all.length);
        return all;
    }

    private long free() throws CrailException {
        return client.statistics().classes().get(0).free();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aViewShowsAnyRangeOfAFile(boolean sharedMemory) throws IOException {
        byte[] content = bytes(3_333_333);
        write("/f", content);
        try (CrailClient viewer = CrailClient.connect(config().sharedMemory(sharedMemory).build());
                CrailFile file = viewer.open("/f")) {
            int[][] ranges = {
                {0, content.length}, {1, 1}, {4096, 8192}, {1_000_000, 1_100_000}, {5, 0}
            };
            for (int[] range : ranges) {
                try (CrailView view = file.view(range[0], range[1])) {
                    assertThat(content(view))
                            .isEqualTo(Arrays.copyOfRange(content, range[0], range[0] + range[1]));
                    assertThat(view.isZeroCopy()).isEqualTo(sharedMemory && range[1] > 0);
                }
            }
            assertThatThrownBy(() -> file.view(0, content.length + 1L))
                    .isInstanceOf(OffsetOutOfRangeException.class);
            assertThatThrownBy(() -> file.view(-1, 1))
                    .isInstanceOf(OffsetOutOfRangeException.class);
            assertThat(viewer.clientStatistics().over("shm").bytesLent() > 0)
                    .isEqualTo(sharedMemory);
        }
    }

    @Test
    void theBlocksOfAViewAreFreedWhenItIsClosedAndNotBefore() throws IOException {
        long before = free();
        byte[] content = bytes(4 << 20);
        write("/f", content);
        CrailFile file = client.open("/f");
        CrailView view = file.view(0, content.length);
        file.close();
        client.delete("/f", false);
        // Everything else is freed and used again and again.
        for (int i = 0; i < 20; i++) {
            write("/other", bytes(3 << 20));
        }
        assertThat(content(view)).isEqualTo(content);
        client.delete("/other", false);
        Awaitility.await()
                .untilAsserted(() -> assertThat(free()).isEqualTo(before - content.length));
        view.close();
        Awaitility.await().untilAsserted(() -> assertThat(free()).isEqualTo(before));
    }

    @Test
    void aViewOutlivesARestartOfItsServer() throws IOException {
        long before = free();
        byte[] content = bytes(2 << 20);
        write("/f", content);
        try (CrailFile file = client.open("/f");
                CrailView view = file.view(0, content.length)) {
            cluster.restartStorage(0);
            assertThat(content(view)).isEqualTo(content);
            client.delete("/f", false);
            byte[] other = bytes(3 << 20);
            for (int i = 0; i < 5; i++) {
                write("/other", other);
            }
            assertThat(content(view)).isEqualTo(content);
            try (CrailFile again = client.open("/other")) {
                ByteBuffer target = ByteBuffer.allocate(other.length);
                again.readFully(0, target);
                assertThat(target.array()).isEqualTo(other);
            }
        }
        client.delete("/other", false);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(free()).isEqualTo(before));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 100_000, 2_500_000})
    void aValueIsSeenAsItWasWhenTheViewWasOpened(int length) throws IOException {
        CrailTable table = client.createTable("/t");
        assertThat(table.getView(KEY)).isEmpty();
        byte[] value = bytes(length);
        table.put(KEY, value);
        try (CrailView view = table.getView(KEY).orElseThrow()) {
            for (int i = 0; i < 10; i++) {
                table.put(KEY, bytes(length + i + 1));
            }
            assertThat(content(view)).isEqualTo(value);
            assertThat(view.isZeroCopy()).isEqualTo(length > 1024);
        }
    }

    @Test
    void openViewsHoldALimitedNumberOfBlocks() throws IOException {
        write("/f", bytes(3 << 20));
        try (CrailClient viewer = CrailClient.connect(config().viewBlocks(2).build());
                CrailFile file = viewer.open("/f")) {
            assertThatThrownBy(() -> file.view(0, 3 << 20)).isInstanceOf(BusyException.class);
            CrailView first = file.view(0, 10);
            CrailView second = file.view(1 << 20, 10);
            assertThatThrownBy(() -> file.view(2 << 20, 10))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("client.views.blocks");
            first.close();
            first.close();
            file.view(2 << 20, 10).close();
            second.close();
            file.view(0, 2 << 20).close();
        }
    }

    @Test
    void nothingIsShownAfterTheEnd() throws IOException {
        long before = free();
        write("/f", bytes(1 << 20));
        CrailView closed;
        CrailView forced;
        try (CrailClient viewer = cluster.connect();
                CrailFile file = viewer.open("/f")) {
            closed = file.view(0, 1 << 20);
            closed.close();
            assertThatThrownBy(closed::buffers).isInstanceOf(ClosedException.class);
            forced = file.view(0, 1 << 20);
        }
        assertThatThrownBy(forced::buffers)
                .as("closed with its client")
                .isInstanceOf(ClosedException.class);
        client.delete("/f", false);
        Awaitility.await().untilAsserted(() -> assertThat(free()).isEqualTo(before));
    }

    @Test
    void aForgottenViewIsClosedWhenItIsCollected() throws IOException {
        write("/f", bytes(2 << 20));
        try (CrailClient viewer = CrailClient.connect(config().viewBlocks(2).build());
                CrailFile file = viewer.open("/f")) {
            assertThat(file.view(0, 2 << 20).length()).isEqualTo(2 << 20);
            Awaitility.await()
                    .ignoreExceptionsInstanceOf(BusyException.class)
                    .untilAsserted(
                            () -> {
                                System.gc();
                                file.view(0, 2 << 20).close();
                            });
        }
    }

    @Test
    void poisonedViewsAreOverwrittenWhenTheyAreClosed() throws IOException {
        byte[] content = bytes(100_000);
        write("/f", content);
        try (CrailClient viewer = CrailClient.connect(config().poisonViews(true).build());
                CrailFile file = viewer.open("/f")) {
            CrailView view = file.view(0, content.length);
            assertThat(content(view)).isEqualTo(content);
            ByteBuffer kept = view.buffers().get(0);
            view.close();
            byte[] after = new byte[kept.remaining()];
            kept.get(after);
            assertThat(after).containsOnly(0xDB);
        }
    }

    /** Open, and with the way to its server found by a read. */
    private static CrailFile openAndRead(CrailClient viewer, String path) throws IOException {
        CrailFile file = viewer.open(path);
        file.readFully(0, ByteBuffer.allocate((int) Math.min(100, file.length())));
        return file;
    }

    @Test
    void whatIsMappedIsSeenAtOnce() throws IOException {
        byte[] content = bytes(3_333_333);
        write("/f", content);
        try (CrailClient viewer = cluster.connect()) {
            try (CrailFile file = viewer.open("/f")) {
                assertThat(file.tryView(0, 10)).as("no way to the server is known").isEmpty();
            }
            try (CrailFile file = openAndRead(viewer, "/f")) {
                int[][] ranges = {
                    {0, content.length},
                    {1, 1},
                    {4096, 8192},
                    {1_000_000, 1_100_000},
                    {content.length - 1, 1},
                    {5, 0}
                };
                // The client tells the namenode of the file that was closed when it pleases.
                Awaitility.await().until(() -> callsOfViews(viewer, file, content, ranges) == 0);
                assertThat(file.tryView(0, content.length + 1L)).isEmpty();
                assertThat(file.tryView(-1, 1)).isEmpty();
            }
            assertThat(viewer.clientStatistics().viewBlocks()).isZero();
        }
    }

    private static long callsOfViews(
            CrailClient viewer, CrailFile file, byte[] content, int[][] ranges) throws IOException {
        long calls = viewer.clientStatistics().rpcCalls();
        for (int[] range : ranges) {
            try (CrailView view = file.tryView(range[0], range[1]).orElseThrow()) {
                assertThat(content(view))
                        .isEqualTo(Arrays.copyOfRange(content, range[0], range[0] + range[1]));
                assertThat(view.isZeroCopy()).isEqualTo(range[1] > 0);
                assertThat(viewer.clientStatistics().viewBlocks()).isEqualTo(view.buffers().size());
            }
        }
        return viewer.clientStatistics().rpcCalls() - calls;
    }

    @Test
    void nothingIsSeenAtOnceOverTheNetwork() throws IOException {
        write("/f", bytes(100_000));
        try (CrailClient viewer = CrailClient.connect(config().sharedMemory(false).build());
                CrailFile file = openAndRead(viewer, "/f")) {
            assertThat(file.tryView(0, 10)).isEmpty();
        }
    }

    @Test
    void whatIsInTheWayOfAViewAtOnceLeavesNothingHeld() throws IOException {
        byte[] content = bytes(3 << 20);
        write("/f", content);
        try (CrailClient viewer = CrailClient.connect(config().viewBlocks(2).build())) {
            CrailFile file = openAndRead(viewer, "/f");
            assertThat(file.tryView(0, 3 << 20)).as("more blocks than views may hold").isEmpty();
            assertThat(viewer.clientStatistics().viewBlocks()).isZero();
            flip(segment(), Arrays.copyOfRange(content, 1 << 20, 2 << 20));
            assertThat(file.tryView(0, 2 << 20)).as("the second block is damaged").isEmpty();
            assertThat(viewer.clientStatistics().viewBlocks()).isZero();
            assertThat(viewer.clientStatistics().checksumFailures()).isPositive();
            file.tryView(0, 1 << 20).orElseThrow().close();
            file.close();
            assertThat(file.tryView(0, 10)).as("the file is closed").isEmpty();
            assertThat(viewer.clientStatistics().viewBlocks()).isZero();
        }
    }

    @Test
    void aViewAtOnceIsPoisonedLikeOthers() throws IOException {
        byte[] content = bytes(100_000);
        write("/f", content);
        try (CrailClient viewer = CrailClient.connect(config().poisonViews(true).build());
                CrailFile file = openAndRead(viewer, "/f")) {
            CrailView view = file.tryView(0, content.length).orElseThrow();
            assertThat(content(view)).isEqualTo(content);
            ByteBuffer kept = view.buffers().get(0);
            assertThat(kept.isDirect()).isTrue();
            view.close();
            byte[] after = new byte[kept.remaining()];
            kept.get(after);
            assertThat(after).containsOnly(0xDB);
        }
    }

    @Test
    void damagedMemoryIsNoticedUnlessNobodyAsks() throws IOException {
        byte[] content = bytes(100_000);
        write("/f", content);
        flip(segment(), content);
        try (CrailFile file = client.open("/f")) {
            assertThatThrownBy(() -> file.view(0, content.length))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("/f at offset");
            assertThatThrownBy(() -> file.readFully(0, ByteBuffer.allocate(content.length)))
                    .isInstanceOf(CorruptDataException.class);
            try (CrailView view = file.view(0, content.length, false)) {
                assertThat(content(view)).isNotEqualTo(content);
            }
        }
    }

    private Path segment() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(f -> f.endsWith(SegmentLayout.fileName(0)))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Flips a bit where the content lies in the file. */
    private static void flip(Path segment, byte[] content) throws IOException {
        ByteBuffer wanted = ByteBuffer.wrap(content, 0, 4096);
        try (FileChannel channel =
                FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer page = ByteBuffer.allocate(4096);
            for (long at = 0; at < channel.size(); at += 4096) {
                channel.read(page.clear(), at);
                if (page.flip().equals(wanted)) {
                    page.put(77, (byte) (page.get(77) ^ 1));
                    channel.write(page, at);
                    return;
                }
            }
        }
        throw new AssertionError("the content is not in " + segment);
    }
}
