// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CorruptDataException;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whichever chunk of a file is damaged where it is stored, readers say which one it is. */
class DamagedChunksTest {
    private static final int SEGMENT = 16 << 20;
    private static final int CHUNK = 4096;

    /** More than a block; whole chunks, but for the last. */
    private static final int LENGTH = (1 << 20) + 19 * CHUNK + 77;

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyDamagedChunkIsNamed(boolean sharedMemory) throws IOException {
        // Cut and copied in other ways: at once, and bit by bit.
        int[] steps = {LENGTH, 10_001};
        try (EmbeddedCluster cluster = start();
                CrailClient client = connect(cluster, sharedMemory)) {
            for (int step : steps) {
                // Others than before, which the memory still has.
                byte[] content = bytes(step);
                write(client, content, step);
                check(client, content, sharedMemory);
            }
        }
    }

    /** Buffers of chunks are written in place, between others that are not. */
    @Test
    void fragmentsOfAnyLengthHaveGoodChecksums() throws IOException {
        byte[] content = bytes(1);
        Random random = new Random(5);
        try (EmbeddedCluster cluster = start();
                CrailClient client = connect(cluster, true)) {
            try (CrailOutputStream out = client.createFile("/f", CreateOptions.OVERWRITE)) {
                out.append(direct(content, 0, 100_000));
                out.sync();
                int at = 100_000;
                while (at < LENGTH) {
                    int toChunk = CHUNK - at % CHUNK;
                    int wanted =
                            random.nextBoolean()
                                    ? toChunk + CHUNK * random.nextInt(40)
                                    : 1 + random.nextInt(150_000);
                    int length = Math.min(wanted, LENGTH - at);
                    out.append(direct(content, at, length));
                    if (random.nextInt(4) == 0) {
                        out.sync();
                    }
                    at += length;
                }
            }
            try (CrailFile file = client.open("/f")) {
                ByteBuffer all = ByteBuffer.allocateDirect(LENGTH);
                file.readFully(0, all);
                assertThat(all.flip()).isEqualTo(ByteBuffer.wrap(content));
            }
        }
    }

    private static ByteBuffer direct(byte[] content, int from, int length) {
        return ByteBuffer.allocateDirect(length).put(content, from, length).flip();
    }

    private static byte[] bytes(long seed) {
        byte[] content = new byte[LENGTH];
        new Random(seed).nextBytes(content);
        return content;
    }

    private EmbeddedCluster start() throws IOException {
        return EmbeddedCluster.builder()
                .capacity(SEGMENT)
                .segmentSize(SEGMENT)
                .storage(storage -> storage.directory(directory.resolve("server")))
                .start();
    }

    private static CrailClient connect(EmbeddedCluster cluster, boolean sharedMemory)
            throws IOException {
        return CrailClient.connect(
                ClientConfig.builder()
                        .namenodes(List.of(cluster.namenode()))
                        .sharedMemory(sharedMemory)
                        .build());
    }

    private static void write(CrailClient client, byte[] content, int step) throws IOException {
        try (CrailOutputStream out = client.createFile("/f", CreateOptions.OVERWRITE)) {
            for (int at = 0; at < content.length; at += step) {
                out.append(direct(content, at, Math.min(step, content.length - at)));
            }
        }
    }

    private void check(CrailClient client, byte[] content, boolean views) throws IOException {
        MappedByteBuffer memory = memory();
        ByteBuffer target = ByteBuffer.allocateDirect(LENGTH);
        try (CrailFile file = client.open("/f")) {
            for (int from = 0; from < LENGTH; from += CHUNK) {
                int last = Math.min(LENGTH, from + CHUNK) - 1;
                int at = find(memory, content, from, last + 1 - from);
                memory.put(at, (byte) (content[last] ^ 0x20));
                String named = "/f at offset " + from + ":";
                assertDamaged(named, () -> file.readFully(0, target.clear()));
                if (views) {
                    assertDamaged(named, () -> file.view(0, LENGTH).close());
                }
                memory.put(at, content[last]);
            }
            file.readFully(0, target.clear());
            assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content));
        }
    }

    private static void assertDamaged(String named, ThrowingCallable read) {
        assertThatThrownBy(read)
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith(named)
                .hasMessageContaining("of storage server 1, chunk ");
    }

    private MappedByteBuffer memory() throws IOException {
        Path segment;
        try (Stream<Path> files = Files.walk(directory)) {
            segment =
                    files.filter(f -> f.endsWith(SegmentLayout.fileName(0)))
                            .findFirst()
                            .orElseThrow();
        }
        try (FileChannel channel =
                FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
        }
    }

    /** Where the last byte of a part of the content lies; its chunk is somewhere at 4 KiB. */
    private static int find(ByteBuffer memory, byte[] content, int from, int length) {
        ByteBuffer wanted = ByteBuffer.wrap(content, from, length);
        for (int at = 0; at < memory.capacity(); at += CHUNK) {
            if (memory.slice(at, length).equals(wanted)) {
                return at + length - 1;
            }
        }
        throw new AssertionError("what the file has at " + from + " is not in the segment");
    }
}
