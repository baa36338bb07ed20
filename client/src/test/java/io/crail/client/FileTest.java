// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ClosedException;
import io.crail.error.LeaseHeldException;
import io.crail.error.NodeExistsException;
import io.crail.protocol.message.MessageType;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as an application writes and reads them. */
class FileTest extends ClientTestBase {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 70_000, 1 << 20, (1 << 20) + 1, 5_000_001})
    void whatIsWrittenIsRead(int length) throws IOException {
        byte[] data = bytes(length, length);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            assertThat(readAll(client, "/f")).isEqualTo(data);
            assertThat(cluster().namenode().length("/f")).isEqualTo(length);
        }
    }

    @Test
    void aWriterThatMayKeepLittleUnderWayDoesNotWaitForABlockToBeFull() throws IOException {
        byte[] data = bytes(3_000_000, 77);
        try (CrailClient client = CrailClient.connect(cluster().config().writeDepth(1).build())) {
            write(client, "/f", data);
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    @Test
    void aSmallFileOfKnownSizeTakesOneCreateOneWriteAndOneCommit() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CreateOptions options = CreateOptions.builder().expectedBytes(3000).build();
            try (CrailOutputStream out = client.createFile("/f", options)) {
                out.write(bytes(3000, 1));
            }
            assertThat(mutations()).containsExactly(MessageType.CREATE, MessageType.COMMIT);
        }
    }

    @Test
    void openingByIdIsOneRoundTripAndAnswersNoPath() throws IOException {
        byte[] data = bytes(70_000, 5);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            long node = client.status("/f").id();
            int before = cluster().namenode().received().size();
            try (CrailFile file = client.openAsync(node).join()) {
                assertThat(cluster().namenode().received().stream().skip(before))
                        .extracting(frame -> frame.type())
                        .filteredOn(type -> type != MessageType.KEEP_ALIVE)
                        .containsExactly(MessageType.OPEN);
                assertThat(file.path()).isEqualTo("node " + node);
                assertThat(file.newInputStream().readAllBytes()).isEqualTo(data);
            }
        }
    }

    private List<MessageType> mutations() {
        List<MessageType> types = new ArrayList<>();
        cluster().namenode().received().stream()
                .filter(frame -> frame.isMutation() && frame.type() != MessageType.KEEP_ALIVE)
                .forEach(frame -> types.add(frame.type()));
        return types;
    }

    @Test
    void bytesAreVisibleAfterSync() throws IOException {
        byte[] data = bytes(10_000, 2);
        try (CrailClient client = cluster().connect();
                CrailOutputStream out = client.createFile("/f")) {
            out.write(data, 0, 6000);
            assertThat(cluster().namenode().length("/f")).isZero();
            assertThat(out.sync().length()).isEqualTo(6000);
            out.write(data, 6000, 4000);
            assertThat(readAll(client, "/f")).isEqualTo(Arrays.copyOf(data, 6000));
            assertThat(out.committedLength()).isEqualTo(6000);
            assertThat(out.position()).isEqualTo(10_000);
        }
    }

    @Test
    void appendGoesOnInsideTheLastChunk() throws IOException {
        byte[] data = bytes(9_999, 3);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", Arrays.copyOf(data, 5_001));
            try (CrailOutputStream out = client.append("/f")) {
                out.write(data, 5_001, 4_998);
            }
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    @Test
    void largeDirectBuffersAreAppendedWithoutACopy() throws IOException {
        byte[] data = bytes(9 << 20, 4);
        ByteBuffer direct = ByteBuffer.allocateDirect(data.length);
        direct.put(data).flip();
        try (CrailClient client = cluster().connect()) {
            try (CrailOutputStream out = client.createFile("/f")) {
                out.write(7);
                out.append(direct);
                assertThat(direct.hasRemaining()).isFalse();
            }
            byte[] read = readAll(client, "/f");
            assertThat(read[0]).isEqualTo((byte) 7);
            assertThat(Arrays.copyOfRange(read, 1, read.length)).isEqualTo(data);
        }
    }

    @Test
    void asynchronousAppendsAreInOrder() throws IOException {
        byte[] data = bytes(3_000_000, 5);
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            List<CrailFuture<Void>> futures = new ArrayList<>();
            for (int at = 0; at < data.length; at += 100_000) {
                ByteBuffer piece = ByteBuffer.allocateDirect(100_000);
                piece.put(data, at, 100_000).flip();
                futures.add(out.appendAsync(piece));
            }
            CrailFuture<?> closed = out.closeAsync();
            futures.forEach(CrailFuture::join);
            closed.join();
            out.close();
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    @Test
    void positionalReadsReturnWhatLiesThere() throws IOException {
        byte[] data = bytes(2_500_000, 6);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            try (CrailFile file = client.open("/f")) {
                ByteBuffer heap = ByteBuffer.allocate(300_001);
                assertThat(file.read(1_000_003, heap)).isEqualTo(300_001);
                assertThat(heap.array()).isEqualTo(Arrays.copyOfRange(data, 1_000_003, 1_300_004));
                ByteBuffer direct = ByteBuffer.allocateDirect(1_200_000);
                file.readFully(999_999, direct);
                byte[] got = new byte[1_200_000];
                direct.flip().get(got);
                assertThat(got).isEqualTo(Arrays.copyOfRange(data, 999_999, 2_199_999));
                assertThat(file.read(data.length, ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(file.read(data.length - 2, ByteBuffer.allocate(9))).isEqualTo(2);
                assertThatThrownBy(() -> file.readFully(data.length - 2, ByteBuffer.allocate(9)))
                        .isInstanceOf(EOFException.class);
            }
        }
    }

    @Test
    void vectoredReadsFillAllTargets() throws IOException {
        byte[] data = bytes(1_000_000, 7);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            try (CrailFile file = client.open("/f")) {
                ByteBuffer first = ByteBuffer.allocate(10);
                ByteBuffer second = ByteBuffer.allocateDirect(400_000);
                file.readVectored(
                        List.of(
                                new CrailFile.Range(500_000, first),
                                new CrailFile.Range(17, second)));
                assertThat(first.hasRemaining() || second.hasRemaining()).isFalse();
                assertThat(first.array()).isEqualTo(Arrays.copyOfRange(data, 500_000, 500_010));
                assertThat(second.get(399_999)).isEqualTo(data[400_016]);
            }
        }
    }

    @Test
    void filesOfManyExtentsAreReadPageByPage() throws IOException {
        cluster().namenode().maxBlock(4096);
        byte[] data = bytes(4096 * 150 + 5, 8);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            assertThat(readAll(client, "/f")).isEqualTo(data);
            assertThat(client.locations("/f")).hasSize(151);
            try (CrailFile file = client.open("/f")) {
                ByteBuffer all = ByteBuffer.allocate(data.length);
                file.readFully(0, all);
                assertThat(all.array()).isEqualTo(data);
            }
        }
    }

    @Test
    void streamsSeekSkipAndKnowWhatIsAvailable() throws IOException {
        byte[] data = bytes(500_000, 9);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            try (CrailFile file = client.open("/f");
                    CrailInputStream in = file.newInputStream()) {
                assertThat(in.read()).isEqualTo(data[0] & 0xFF);
                assertThat(in.available()).isPositive();
                assertThat(in.skip(1_000)).isEqualTo(1_000);
                assertThat(in.read()).isEqualTo(data[1_001] & 0xFF);
                in.seek(499_999);
                assertThat(in.read()).isEqualTo(data[499_999] & 0xFF);
                assertThat(in.read()).isEqualTo(-1);
                assertThatThrownBy(() -> in.seek(500_001)).isInstanceOf(EOFException.class);
                in.seek(3);
                assertThat(in.read()).isEqualTo(data[3] & 0xFF);
            }
        }
    }

    @Test
    void readersSeeTheNewLengthAfterRefresh() throws IOException {
        byte[] data = bytes(9_000, 10);
        try (CrailClient client = cluster().connect();
                CrailOutputStream out = client.createFile("/f")) {
            out.write(data, 0, 5_000);
            out.sync();
            try (CrailFile file = client.open("/f");
                    CrailInputStream in = file.newInputStream()) {
                assertThat(in.readNBytes(9_000)).hasSize(5_000);
                out.write(data, 5_000, 4_000);
                out.sync();
                assertThat(file.awaitLength(5_000, Duration.ofSeconds(60)).length())
                        .isEqualTo(9_000);
                assertThat(in.readNBytes(9_000)).isEqualTo(Arrays.copyOfRange(data, 5_000, 9_000));
            }
        }
    }

    @Test
    void thereIsOneWriterAtATime() throws IOException {
        try (CrailClient client = cluster().connect();
                CrailOutputStream out = client.createFile("/f")) {
            assertThatThrownBy(() -> client.append("/f")).isInstanceOf(LeaseHeldException.class);
            assertThatThrownBy(() -> client.createFile("/f"))
                    .isInstanceOf(NodeExistsException.class);
            out.write(1);
        }
        assertThat(cluster().namenode().isOpenForWriting("/f")).isFalse();
    }

    @Test
    void closedStreamsAndFilesSaySo() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            out.write(5);
            out.close();
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(ClosedException.class);
            assertThatThrownBy(out::sync).isInstanceOf(ClosedException.class);
            CrailFile file = client.open("/f");
            file.close();
            assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1)))
                    .isInstanceOf(ClosedException.class);
        }
    }

    @Test
    void memoryIsGivenBack() throws IOException {
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", bytes(3_000_000, 21));
            readAll(client, "/f");
            try (CrailFile file = client.open("/f");
                    CrailInputStream in = file.newInputStream()) {
                assertThat(in.read()).isNotNegative();
            }
            // What remains are the buffers of the connections: namenode and two servers.
            Awaitility.await()
                    .untilAsserted(
                            () ->
                                    assertThat(client.clientStatistics().poolBytesInUse())
                                            .isEqualTo((3 * 128) << 10));
        }
    }

    @Test
    void manyOpenStreamsShareASmallPool() throws IOException {
        List<CrailOutputStream> streams = new ArrayList<>();
        try (CrailClient client =
                CrailClient.connect(cluster().config().bufferPoolBytes(4 << 20).build())) {
            byte[] data = bytes(100_000, 22);
            for (int i = 0; i < 60; i++) {
                streams.add(client.createFile("/f" + i));
            }
            for (int round = 0; round < 3; round++) {
                for (CrailOutputStream stream : streams) {
                    stream.write(data);
                }
            }
            for (CrailOutputStream stream : streams) {
                stream.close();
            }
            assertThat(readAll(client, "/f37")).hasSize(300_000).startsWith(data).endsWith(data);
        }
    }

    @Test
    void anIdleWriterGivesUnusedBlocksBackAndWritesOn() throws IOException {
        byte[] content = bytes(3_000_000, 77);
        try (CrailClient client = cluster().connect()) {
            try (CrailOutputStream out = client.createFile("/idle")) {
                out.write(content, 0, 1_500_000);
                out.sync();
                assertThat(cluster().namenode().grantsOutstanding()).isPositive();
                Awaitility.await()
                        .untilAsserted(
                                () ->
                                        assertThat(cluster().namenode().grantsOutstanding())
                                                .isZero());
                assertThat(cluster().namenode().length("/idle")).isEqualTo(1_500_000);
                out.write(content, 1_500_000, 1_500_000);
            }
            assertThat(readAll(client, "/idle")).isEqualTo(content);
        }
    }

    @Test
    void whatAnIdleWriterHasNotSyncedStaysInvisible() throws IOException {
        byte[] content = bytes(2_500_000, 78);
        try (CrailClient client = cluster().connect()) {
            try (CrailOutputStream out = client.createFile("/idle")) {
                out.write(content);
                long returned = cluster().namenode().blocksReturned();
                Awaitility.await()
                        .untilAsserted(
                                () ->
                                        assertThat(cluster().namenode().blocksReturned())
                                                .isGreaterThan(returned));
                assertThat(cluster().namenode().length("/idle")).isZero();
            }
            assertThat(readAll(client, "/idle")).isEqualTo(content);
        }
    }
}
