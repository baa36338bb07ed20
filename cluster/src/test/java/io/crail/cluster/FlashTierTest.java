// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.client.audit.AuditReport;
import io.crail.error.CorruptDataException;
import io.crail.error.OutOfSpaceException;
import io.crail.namenode.Damage;
import io.crail.protocol.block.BlockId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks on flash behind blocks in memory, by way of the built-in target. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
class FlashTierTest {
    private static final int MIB = 1 << 20;
    private static final int MEMORY = 16 * MIB;
    private static final int FLASH = 48 * MIB;

    @TempDir Path directory;
    private EmbeddedCluster cluster;
    private CrailClient client;

    @BeforeEach
    void start() throws IOException {
        cluster = EmbeddedCluster.builder().capacity(MEMORY).segmentSize(MEMORY).start();
        FlashServer.add(cluster, image(), FLASH);
        client = cluster.connect();
        client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private Path image() {
        return directory.resolve("crail.img");
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] key(int number) {
        return ("k" + number).getBytes(StandardCharsets.UTF_8);
    }

    private static CreateOptions checksums(boolean on) {
        return CreateOptions.builder().checksums(on).build();
    }

    private void write(String path, byte[] content, CreateOptions options) throws IOException {
        try (CrailOutputStream out = client.createFile(path, options)) {
            out.write(content);
        }
    }

    private byte[] read(CrailClient reader, String path) throws IOException {
        try (CrailFile file = reader.open(path)) {
            byte[] content = new byte[(int) file.length()];
            file.readFully(0, ByteBuffer.wrap(content));
            return content;
        }
    }

    private void isClean() throws IOException {
        AuditReport report = client.admin().check(null, looks -> {});
        assertThat(report.findings()).isEmpty();
        assertThat(report.unchecked()).isEmpty();
    }

    @ParameterizedTest(name = "checksums {0}")
    @ValueSource(booleans = {true, false})
    void whatMemoryHasNoRoomForGoesToFlashAndIsReadBack(boolean checksums) throws IOException {
        byte[] content = random(1, MEMORY + 9 * MIB + 12_345);
        write("/big", content, checksums(checksums));
        assertThat(read(client, "/big")).isEqualTo(content);
        try (CrailClient other = cluster.connect()) {
            assertThat(read(other, "/big")).isEqualTo(content);
            ByteBuffer direct = ByteBuffer.allocateDirect(content.length);
            try (CrailFile file = other.open("/big")) {
                file.readFully(0, direct);
            }
            assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(content));
        }
        assertThat(client.clientStatistics().storageClasses())
                .hasEntrySatisfying(
                        1,
                        moved -> assertThat(moved.bytesWritten()).isGreaterThanOrEqualTo(9L * MIB));
        isClean();
    }

    @ParameterizedTest(name = "checksums {0}")
    @ValueSource(booleans = {true, false})
    void smallAppendsWithSyncsInBetweenAndRandomReads(boolean checksums) throws IOException {
        Random random = new Random(3);
        byte[] content = random(2, 3 * MIB / 2);
        try (CrailOutputStream out = client.createFile("/flash/f", checksums(checksums))) {
            int at = 0;
            while (at < content.length) {
                int length =
                        Math.min(
                                content.length - at,
                                1 + random.nextInt(random.nextInt(5) == 0 ? 300_000 : 6_000));
                if (random.nextBoolean()) {
                    out.write(content, at, length);
                } else {
                    out.append(ByteBuffer.allocateDirect(length).put(content, at, length).flip());
                }
                at += length;
                if (random.nextInt(3) == 0) {
                    out.sync();
                    byte[] tail = new byte[Math.min(at, 5000)];
                    try (CrailFile file = client.open("/flash/f")) {
                        file.readFully(at - tail.length, ByteBuffer.wrap(tail));
                    }
                    assertThat(tail).isEqualTo(slice(content, at - tail.length, tail.length));
                }
            }
        }
        readAtRandom("/flash/f", content, random);
        isClean();
    }

    private void readAtRandom(String path, byte[] content, Random random) throws IOException {
        try (CrailClient other = cluster.connect();
                CrailFile file = other.open(path)) {
            for (int i = 0; i < 300; i++) {
                int from = random.nextInt(content.length);
                int length =
                        1
                                + random.nextInt(
                                        Math.min(
                                                content.length - from,
                                                i % 10 == 0 ? 400_000 : 9_000));
                ByteBuffer target =
                        i % 2 == 0
                                ? ByteBuffer.allocate(length)
                                : ByteBuffer.allocateDirect(length);
                file.readFully(from, target);
                assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, from, length));
            }
        }
    }

    private static byte[] slice(byte[] content, int from, int length) {
        return java.util.Arrays.copyOfRange(content, from, from + length);
    }

    @Test
    void aFileThatWasClosedIsContinued() throws IOException {
        byte[] content = random(4, 300_000);
        int at = 0;
        for (int step : new int[] {1, 4095, 5000, 60_000, 100_001, 130_903}) {
            try (CrailOutputStream out =
                    at == 0 ? client.createFile("/flash/f") : client.append("/flash/f")) {
                out.write(content, at, step);
            }
            at += step;
            try (CrailClient other = cluster.connect()) {
                assertThat(read(other, "/flash/f")).isEqualTo(slice(content, 0, at));
            }
        }
        isClean();
    }

    @Test
    void valuesTooLargeForTheNamenodeAreKeptAndReplaced() throws IOException {
        CrailTable table =
                client.createTable("/flash/t", CreateOptions.builder().storageClass(1).build());
        List<byte[]> values = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            values.clear();
            for (int i = 0; i < 30; i++) {
                byte[] value = random(100 * round + i, 1 + i * 11_111 + round * 777);
                values.add(value);
                table.put(key(i), value);
            }
        }
        try (CrailClient other = cluster.connect()) {
            CrailTable there = other.table("/flash/t");
            for (int i = 0; i < values.size(); i++) {
                assertThat(there.get(key(i)).orElseThrow().toByteArray()).isEqualTo(values.get(i));
            }
        }
        isClean();
    }

    @Test
    void aDamagedByteIsFoundAndNamed() throws IOException {
        byte[] content = random(5, 200_000);
        write("/flash/f", content, checksums(true));
        BlockId block = Damage.block(cluster.namenodeServer(), "/flash/f");
        damage(dataOf(block) + 8192 + 77);
        try (CrailClient other = cluster.connect()) {
            assertThatThrownBy(() -> read(other, "/flash/f"))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("/flash/f")
                    .hasMessageContaining(
                            block.server() + "/" + block.segment() + "/" + block.record())
                    .hasMessageContaining("storage server " + block.server());
        }
    }

    /** Where the data of a block is in the file. */
    private long dataOf(BlockId block) throws IOException {
        try (FileChannel file = FileChannel.open(image(), StandardOpenOption.READ)) {
            ByteBuffer offset = ByteBuffer.allocate(8).order(java.nio.ByteOrder.LITTLE_ENDIAN);
            assertThat(file.read(offset, 88)).isEqualTo(8);
            return offset.getLong(0) + 4096L * block.record();
        }
    }

    private void damage(long position) throws IOException {
        try (FileChannel file =
                FileChannel.open(image(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            assertThat(file.read(one, position)).isEqualTo(1);
            one.put(0, (byte) (one.get(0) ^ 0x10));
            assertThat(file.write(one.flip(), position)).isEqualTo(1);
        }
    }

    @Test
    void freedBlocksAreUsedAgainWithoutEndAndFullIsTold() throws IOException {
        for (int round = 0; round < 6; round++) {
            byte[] content = random(round, 20 * MIB + 5);
            write("/flash/f" + round, content, checksums(round % 2 == 0));
            assertThat(read(client, "/flash/f" + round)).isEqualTo(content);
            client.delete("/flash/f" + round, false);
        }
        assertThatThrownBy(() -> write("/flash/g", random(9, FLASH), checksums(true)))
                .isInstanceOf(OutOfSpaceException.class);
        isClean();
    }

    @Test
    void dataOutlivesARestartOfItsServer() throws IOException {
        byte[] content = random(6, 5 * MIB + 99);
        write("/flash/f", content, checksums(true));
        write("/flash/gone", content, checksums(true));
        client.delete("/flash/gone", false);
        cluster.restartStorage(1);
        assertThat(read(client, "/flash/f")).isEqualTo(content);
        write("/flash/more", content, checksums(true));
        assertThat(read(client, "/flash/more")).isEqualTo(content);
        assertThat(read(client, "/flash/f")).isEqualTo(content);
        isClean();
    }
}
