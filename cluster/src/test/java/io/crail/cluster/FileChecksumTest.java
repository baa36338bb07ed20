// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checksums put together from stored ones, against those of the bytes, over both transports. */
class FileChecksumTest {
    private EmbeddedCluster cluster;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    FileChecksumTest() {}

    @BeforeEach
    void start() throws IOException {
        cluster = EmbeddedCluster.builder().servers(2).capacity(64 << 20).start();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private CrailClient client(boolean sharedMemory) throws IOException {
        return CrailClient.connect(
                ClientConfig.builder()
                        .namenodes(List.of(cluster.namenode()))
                        .sharedMemory(sharedMemory)
                        .build());
    }

    private static void check(CrailFile file, byte[] content, int length) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(content, 0, length);
        assertThat(file.checksum(length))
                .as("checksum of %s of %s bytes", length, content.length)
                .isEqualTo(crc.getValue());
    }

    private static void checkAnyLength(CrailFile file, byte[] content, Random random)
            throws IOException {
        assertThat(file.length()).isEqualTo(content.length);
        check(file, content, content.length);
        for (int i = 0; i < 40; i++) {
            check(file, content, random.nextInt(content.length + 1));
        }
        for (int chunks = 0; chunks <= content.length; chunks += 4096 * (1 + random.nextInt(64))) {
            check(file, content, chunks);
        }
    }

    /** Synced and appended in pieces: short extents in the middle, chunks that were continued. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anyLengthOfAFileThatGrewInPieces(boolean sharedMemory) throws IOException {
        Random random = new Random(sharedMemory ? 1 : 2);
        try (CrailClient client = client(sharedMemory)) {
            ByteArrayOutputStream model = new ByteArrayOutputStream();
            client.createFile("/f").close();
            for (int round = 0; round < 12; round++) {
                try (CrailOutputStream out = client.append("/f")) {
                    for (int i = random.nextInt(4); i >= 0; i--) {
                        byte[] piece = new byte[1 + random.nextInt(i == 0 ? 700_000 : 9000)];
                        random.nextBytes(piece);
                        out.write(piece);
                        model.write(piece);
                        out.sync();
                    }
                    if (round % 3 == 2) {
                        out.abort(); // The next writer begins a block of its own.
                    }
                }
                try (CrailFile file = client.open("/f")) {
                    checkAnyLength(file, model.toByteArray(), random);
                }
            }
            assertThat(client.locations("/f")).hasSizeGreaterThan(6);
            assertThat(client.clientStatistics().over("shm").bytesLent() > 0)
                    .isEqualTo(sharedMemory);
        }
    }

    /** Nothing is fetched for any of them, once they are known. */
    @Test
    void aFileOfVeryManyShortExtents() throws IOException {
        byte[] content = new byte[1500 * 7];
        new Random(5).nextBytes(content);
        try (CrailClient client = client(true)) {
            client.createFile("/f").close();
            for (int at = 0; at < content.length; at += 7) {
                try (CrailOutputStream out = client.append("/f")) {
                    out.write(content, at, 7);
                    out.sync();
                    out.abort();
                }
            }
            try (CrailFile file = client.open("/f")) {
                assertThat(file.locations()).hasSize(1500);
                file.readFully(0, ByteBuffer.allocate(content.length));
                check(file, content, content.length);
                check(file, content, content.length - 3);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileThatReplacesAnother(boolean sharedMemory) throws IOException {
        Random random = new Random(3);
        try (CrailClient client = client(sharedMemory)) {
            byte[] before = write(client, "/f", 2_345_678, random);
            try (CrailFile old = client.open("/f")) {
                checkAnyLength(old, before, random);
                byte[] after = write(client, "/f", 1_234_567, random);
                try (CrailFile file = client.open("/f")) {
                    checkAnyLength(file, after, random);
                }
                checkAnyLength(old, before, random);
            }
        }
    }

    /** A writer goes on in the last chunk: the handle's length has the checksum that it had. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileWhoseLastChunkIsBeingContinued(boolean sharedMemory) throws IOException {
        Random random = new Random(4);
        byte[] content = new byte[20_000];
        random.nextBytes(content);
        try (CrailClient client = client(sharedMemory);
                CrailOutputStream out = client.createFile("/f")) {
            out.write(content, 0, 9_999);
            out.sync();
            try (CrailFile file = client.open("/f")) {
                out.write(content, 9_999, 10_001);
                out.sync();
                check(file, content, 9_999);
                check(file, content, 8_192);
                file.refresh();
                checkAnyLength(file, content, random);
            }
        }
    }

    private static byte[] write(CrailClient client, String path, int length, Random random)
            throws IOException {
        byte[] content = new byte[length];
        random.nextBytes(content);
        try (CrailOutputStream out = client.createFile(path, CreateOptions.OVERWRITE)) {
            out.write(content);
        }
        return content;
    }
}
