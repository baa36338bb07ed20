// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Checksums of files, put together from those that are stored. */
class FileChecksumTest extends ClientTestBase {
    private static long crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return crc.getValue();
    }

    @Test
    void onlyTheChunkThatTheEndCutsIsRead() throws IOException {
        byte[] data = bytes(3_000_001, 1);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            try (CrailFile file = client.open("/f")) {
                for (int length : new int[] {0, 4096, 1 << 20, 2 << 20, data.length}) {
                    assertThat(file.checksum(length)).isEqualTo(crc(data, length));
                }
                assertThat(file.checksum(Long.MAX_VALUE)).isEqualTo(crc(data, data.length));
                assertThat(client.clientStatistics().bytesRead()).isZero();
                assertThat(file.checksumAsync(2_000_000).join()).isEqualTo(crc(data, 2_000_000));
                assertThat(file.checksum(data.length - 1)).isEqualTo(crc(data, data.length - 1));
                assertThat(client.clientStatistics().bytesRead()).isBetween(1L, 8192L);
                assertThatThrownBy(() -> file.checksum(-1))
                        .isInstanceOf(InvalidArgumentException.class);
            }
        }
    }

    @Test
    void aChunkThatIsReadIsVerified() throws IOException {
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", bytes(10_000, 2));
            try (CrailFile file = client.open("/f")) {
                for (int i = 0; i < 2; i++) {
                    cluster().storage(i).corruptReads(100);
                }
                assertThatThrownBy(() -> file.checksum(5000))
                        .isInstanceOf(CorruptDataException.class);
            }
        }
    }

    @Test
    void staleReferencesAreFetchedAnew() throws IOException {
        byte[] data = bytes(2_500_000, 3);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            try (CrailFile file = client.open("/f")) {
                for (int i = 0; i < 2; i++) {
                    cluster().storage(i).staleReads(2);
                }
                assertThat(file.checksum(data.length)).isEqualTo(crc(data, data.length));
                assertThat(client.clientStatistics().staleReferences()).isPositive();
            }
        }
    }

    @Test
    void aServerThatSendsTheBytesAsWellIsUnderstood() throws IOException {
        byte[] data = bytes(2_500_000, 4);
        try (CrailClient client = cluster().connect()) {
            for (int i = 0; i < 2; i++) {
                cluster().storage(i).ignoreNoBytes();
            }
            write(client, "/f", data);
            try (CrailFile file = client.open("/f")) {
                assertThat(file.checksum(data.length)).isEqualTo(crc(data, data.length));
            }
        }
    }

    @Test
    void ofAFileWithoutChecksumsAllBytesAreRead() throws IOException {
        byte[] data = bytes(2_500_000, 5);
        CreateOptions options = CreateOptions.builder().checksums(false).build();
        try (CrailClient client = cluster().connect()) {
            try (CrailOutputStream out = client.createFile("/f", options)) {
                out.write(data);
            }
            try (CrailFile file = client.open("/f")) {
                assertThat(file.checksum(2_000_000)).isEqualTo(crc(data, 2_000_000));
                assertThat(client.clientStatistics().bytesRead()).isEqualTo(2_000_000);
            }
        }
    }
}
