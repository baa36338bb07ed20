// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.testing.MemoryDataPathProvider;
import io.crail.error.AccessDeniedException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes that move in the calling thread, and what becomes of them if they do not. */
class MovedAtOnceTest extends ClientTestBase {
    private static final byte[] KEY = {1};

    /** Deeper than the small stack, if each block began the next. */
    private static final int MANY = 2_000;

    private static final long SMALL_STACK = 256 << 10;

    private CrailClient client;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    MovedAtOnceTest() {}

    @BeforeEach
    void connect() throws IOException {
        cluster().namenode().preferMemory();
        MemoryDataPathProvider.moveAtOnce(true);
        client = cluster().connect();
        // The first transfer finds the way.
        CrailTable table = client.createTable("/warm");
        for (int i = 0; i < 4; i++) {
            table.put(KEY, bytes(300_000, i));
            table.get(KEY);
        }
    }

    @AfterEach
    void close() {
        client.close();
        MemoryDataPathProvider.moveAtOnce(false);
    }

    @Test
    void valuesAreWrittenWithoutTransfers() throws IOException {
        CrailTable table = client.createTable("/t");
        int before = MemoryDataPathProvider.transfers();
        ClientStatistics counted = client.clientStatistics();
        byte[] heap = bytes(300_001, 1);
        byte[] other = bytes(heap.length, 2);
        table.put(KEY, heap);
        table.put(new byte[] {2}, ByteBuffer.allocateDirect(heap.length).put(other).flip());
        assertThat(MemoryDataPathProvider.transfers()).isEqualTo(before);
        assertThat(client.clientStatistics().bytesWritten() - counted.bytesWritten())
                .isEqualTo(2L * heap.length);
        assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(heap);
        assertThat(table.get(new byte[] {2}).orElseThrow().toByteArray()).isEqualTo(other);
    }

    /** At once; copied first or by a transfer, if refused once; anew, if refused twice. */
    @Test
    void whatIsCommittedAreTheChecksumsOfTheBytes() throws IOException {
        cluster().namenode().maxBlock(16 * BlockGeometry.CHUNK_SIZE);
        CrailTable table = client.createTable("/t");
        Random random = new Random(7);
        int tails = 0;
        for (int round = 0; round < 90; round++) {
            byte[] data = bytes(10_000 + random.nextInt(250_000), round);
            storages(round % 3);
            table.put(KEY, source(data, round % 4));
            storages(0);
            assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(data);
            List<Extent> extents = cluster().namenode().extents("/t", KEY);
            assertThat(extents).isNotEmpty();
            for (Extent extent : extents) {
                assertThat(extent.tailCrc()).isEqualTo(tail(data, extent));
                tails += extent.tailCrc() != 0 ? 1 : 0;
            }
        }
        assertThat(tails).isGreaterThan(80);
    }

    private static ByteBuffer source(byte[] data, int kind) {
        ByteBuffer heap = ByteBuffer.allocate(data.length + 9).position(7).put(data);
        ByteBuffer direct = ByteBuffer.allocateDirect(data.length + 9).position(7).put(data);
        return switch (kind) {
            case 0 -> heap.flip().position(7);
            case 1 -> direct.flip().position(7);
            case 2 -> heap.flip().position(7).asReadOnlyBuffer();
            default -> direct.flip().position(7).asReadOnlyBuffer();
        };
    }

    private static int tail(byte[] data, Extent extent) {
        int length = extent.length() % BlockGeometry.CHUNK_SIZE;
        CRC32C crc = new CRC32C();
        crc.update(data, (int) extent.end() - length, length);
        return (int) crc.getValue();
    }

    @Test
    void manyBlocksInARowNeedNoDeepStack() throws Exception {
        cluster().namenode().maxBlock(BlockGeometry.MIN_BLOCK);
        FutureTask<@Nullable Void> task =
                new FutureTask<>(
                        () -> {
                            byte[] data = bytes(MANY * BlockGeometry.MIN_BLOCK, 3);
                            CrailTable table = client.createTable("/t");
                            table.put(KEY, data);
                            assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(data);
                            return null;
                        });
        new Thread(null, task, "small-stack", SMALL_STACK).start();
        task.get();
    }

    @Test
    void whatIsRefusedIsTriedByATransfer() throws IOException {
        CrailTable table = client.createTable("/t");
        byte[] data = bytes(300_000, 4);
        int before = MemoryDataPathProvider.transfers();
        storages(1);
        table.put(KEY, ByteBuffer.allocateDirect(data.length).put(data).flip());
        assertThat(MemoryDataPathProvider.transfers()).isGreaterThan(before);
        assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(data);
    }

    private void storages(int stale) {
        for (int i : List.of(0, 1)) {
            cluster().storage(i).staleWrites(stale);
        }
    }

    @Test
    void whatATransferIsToldIsTheError() throws IOException {
        CrailTable table = client.createTable("/t");
        cluster().storage(0).deny(Integer.MAX_VALUE);
        cluster().storage(1).deny(Integer.MAX_VALUE);
        assertThatThrownBy(() -> table.put(KEY, bytes(300_000, 5)))
                .isInstanceOf(AccessDeniedException.class);
    }
}
