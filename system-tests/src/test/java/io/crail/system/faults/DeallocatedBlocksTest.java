// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.spi.BlockTransfer;
import io.crail.client.spi.BufferPool;
import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.StaleReferenceException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.path.NvmfDataPathProvider;
import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.TargetConfig;
import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.tier.NvmfTierProvider;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.message.ServerTable.Endpoint;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierContext;
import io.crail.storage.spi.TierSegment;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Blocks that a target has given up read as zeros there. Who holds a reference of before gets no
 * zeros for data: with checksums these tell, without, the counter, which was raised before.
 */
@Tag("faults")
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
final class DeallocatedBlocksTest {
    private static final int MIB = 1 << 20;
    private static final int FLASH = 8 * MIB;
    private static final int CHUNK = 4096;
    private static final int SERVER = 5;
    private static final String NQN = "nqn.2026-11.example:deallocated";
    private static final UUID CLUSTER = new UUID(11, 12);
    private static final FlashLayout LAYOUT = FlashLayout.within(FLASH);

    @TempDir Path directory;
    private NvmeTarget target;
    private StorageTier tier;
    private DataPath path;
    private final CompletableFuture<TierSegment> segment = new CompletableFuture<>();

    @BeforeEach
    void start() throws IOException {
        target =
                NvmeTarget.start(
                        TargetConfig.builder(
                                        NQN,
                                        NamespaceConfig.of(directory.resolve("image"), FLASH)
                                                .withAllocation(Allocation.SPARSE))
                                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                                .anyHost(true)
                                .build());
        Map<String, String> options =
                Map.of(
                        "target",
                        "tcp:127.0.0.1:" + target.address().getPort(),
                        "nqn",
                        NQN,
                        "namespace",
                        "1",
                        "transport",
                        "nio");
        tier =
                new NvmfTierProvider()
                        .open(
                                new TierContext(
                                        new UUID(21, 22),
                                        directory,
                                        MIB,
                                        MIB,
                                        false,
                                        "127.0.0.1",
                                        0,
                                        List.of("127.0.0.1"),
                                        ServiceLimits.DEFAULT,
                                        Credentials.NONE,
                                        options));
        tier.join(CLUSTER, new Ready());
        Endpoint endpoint = tier.endpoints().get(0);
        path =
                new NvmfDataPathProvider()
                        .open(
                                new DataPeer(
                                        SERVER,
                                        endpoint.host(),
                                        endpoint.port(),
                                        CLUSTER,
                                        3,
                                        4,
                                        1,
                                        "test",
                                        Credentials.NONE,
                                        1),
                                io());
    }

    @AfterEach
    void stop() throws IOException {
        path.close(new ClosedException("the test has ended"));
        tier.close();
        target.close();
    }

    private final class Ready implements SegmentListener {
        @Override
        public void ready(TierSegment ready) {
            segment.complete(ready);
        }

        @Override
        public void complete() {}

        @Override
        public void failed(CrailException cause) {
            segment.completeExceptionally(cause);
        }
    }

    /** What the path asks of a client, and no more. */
    private static IoContext io() {
        BufferPool buffers =
                lent(
                        BufferPool.class,
                        Map.of(
                                "tryAcquireReserved",
                                lent(
                                        BufferPool.Lease.class,
                                        Map.of(
                                                "buffer",
                                                ByteBuffer.allocateDirect(MIB + CHUNK)
                                                        .alignedSlice(CHUNK)))));
        return lent(
                IoContext.class,
                Map.of(
                        "buffers",
                        buffers,
                        "connectTimeoutNanos",
                        Duration.ofSeconds(30).toNanos(),
                        "transportOptions",
                        Map.of()));
    }

    private static <T> T lent(Class<T> type, Map<String, Object> answers) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                method.getName().equals("nanoTime")
                                        ? (Object) System.nanoTime()
                                        : answers.get(method.getName())));
    }

    private BlockReference block(int record, int counter) {
        return new BlockReference(
                SERVER,
                0,
                (long) record * CHUNK,
                MIB,
                record,
                Generation.of(segment.join().incarnation(), counter),
                0,
                BlockReference.READ | BlockReference.WRITE);
    }

    /** A write, by the path, of as many chunks as there are checksums. */
    private void write(BlockReference block, ByteBuffer data) throws Exception {
        int[] sums = new int[data.remaining() / CHUNK];
        for (int i = 0; i < sums.length; i++) {
            sums[i] =
                    ChunkChecksum.salted(
                            ChunkChecksum.crc(data, i * CHUNK, CHUNK),
                            block.record() + i,
                            block.generation());
        }
        CompletableFuture<int[]> done = new CompletableFuture<>();
        path.submit(
                new BlockTransfer.Write(block, 0, data) {
                    @Override
                    public int[] checksums() {
                        return sums;
                    }

                    @Override
                    public int remainingMillis() {
                        return 60_000;
                    }

                    @Override
                    public void declined(CrailException why) {
                        done.completeExceptionally(why);
                    }

                    @Override
                    public void completed(int[] storedChecksums) {
                        done.complete(storedChecksums);
                    }

                    @Override
                    public void failed(CrailException cause) {
                        done.completeExceptionally(cause);
                    }
                });
        done.get(60, TimeUnit.SECONDS);
    }

    /** A read, by the path; its stored checksums. */
    private int[] read(BlockReference block, int offset, ByteBuffer into, boolean checksums)
            throws Exception {
        CompletableFuture<int[]> done = new CompletableFuture<>();
        path.submit(
                new BlockTransfer.Read(block, offset, into, checksums) {
                    @Override
                    public int remainingMillis() {
                        return 60_000;
                    }

                    @Override
                    public void declined(CrailException why) {
                        done.completeExceptionally(why);
                    }

                    @Override
                    public void completed(int[] storedChecksums) {
                        done.complete(storedChecksums);
                    }

                    @Override
                    public void failed(CrailException cause) {
                        done.completeExceptionally(cause);
                    }
                });
        return done.get(60, TimeUnit.SECONDS);
    }

    /** Frees the block, and gives its data up as other targets do; ours does not. */
    private void free(BlockReference block) throws Exception {
        CompletableFuture<Long> freed = new CompletableFuture<>();
        tier.revoke(0, block.record(), MIB, block.generation(), freed::complete);
        assertThat(freed.get(60, TimeUnit.SECONDS)).isEqualTo(block.generation() + 1);
        ByteBuffer zeros = ByteBuffer.allocateDirect(MIB + CHUNK).alignedSlice(CHUNK).limit(MIB);
        target.medium(1).write(LAYOUT.dataOffset(block.record()), zeros);
    }

    private static ByteBuffer random(int length) {
        return ByteBuffer.allocateDirect(length).put(Payload.random(7, length)).flip();
    }

    @Test
    void withoutChecksumsAnOldReferenceIsStale() throws Exception {
        BlockReference block = block(256, 1);
        ByteBuffer content = random(MIB);
        write(block, content);
        ByteBuffer back = ByteBuffer.allocateDirect(MIB);
        read(block, 0, back, false);
        assertThat(back).isEqualTo(content);
        free(block);
        for (int length : new int[] {100, CHUNK, MIB}) {
            assertThatThrownBy(() -> read(block, 0, ByteBuffer.allocateDirect(length), false))
                    .as("%s bytes", length)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(StaleReferenceException.class);
        }
        // Whoever has it now reads what is there.
        read(block(256, 2), 0, back.clear(), false);
        assertThat(back).isEqualTo(ByteBuffer.allocate(MIB));
    }

    @Test
    void withChecksumsTheyDifferFromThoseOfZerosForEachChunk() throws Exception {
        BlockReference block = block(512, 1);
        ByteBuffer content = random(MIB);
        write(block, content);
        free(block);
        ByteBuffer back = ByteBuffer.allocateDirect(MIB);
        int[] stored = read(block, 0, back, true);
        assertThat(back).isEqualTo(ByteBuffer.allocate(MIB));
        assertThat(stored).hasSize(MIB / CHUNK);
        for (int i = 0; i < stored.length; i++) {
            int expected = ChunkChecksum.salted(stored[i], block.record() + i, block.generation());
            assertThat(ChunkChecksum.crc(back, i * CHUNK, CHUNK)).isNotEqualTo(expected);
            assertThat(ChunkChecksum.crc(content, i * CHUNK, CHUNK)).isEqualTo(expected);
        }
    }
}
