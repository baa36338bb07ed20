// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.RenameOption;
import io.crail.error.NoSuchNodeException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that are opened by their id. */
class OpenByIdTest {
    private EmbeddedCluster cluster;
    private CrailClient client;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    OpenByIdTest() {}

    @BeforeEach
    void start() throws IOException {
        cluster = EmbeddedCluster.builder().start();
        client = cluster.connect();
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    private long write(String path, byte[] bytes) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(bytes);
        }
        return client.status(path).id();
    }

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void aMovedFileIsRead() throws IOException {
        byte[] bytes = bytes(3_000_000, 1);
        client.mkdir("/a");
        long node = write("/a/f", bytes);
        client.rename("/a", "/b");
        client.rename("/b/f", "/g");
        assertThat(client.lookup(node)).contains(client.status("/g"));
        assertThat(client.lookupAsync(node).join()).contains(client.status("/g"));
        try (CrailFile file = client.open(node)) {
            assertThat(file.status()).isEqualTo(client.status("/g"));
            assertThat(file.newInputStream().readAllBytes()).isEqualTo(bytes);
        }
    }

    @Test
    void whatItOpenedStaysReadableAndCanBeRefreshed() throws IOException {
        byte[] bytes = bytes(100_000, 2);
        long node = write("/f", Arrays.copyOf(bytes, 60_000));
        try (CrailFile file = client.open(node)) {
            try (CrailOutputStream out = client.append("/f")) {
                out.write(bytes, 60_000, 40_000);
            }
            client.delete("/f", false);
            assertThat(file.refresh().length()).isEqualTo(100_000);
            assertThat(file.newInputStream().readAllBytes()).isEqualTo(bytes);
        }
    }

    @Test
    void whatWasRemovedOrReplacedIsNotFound() throws IOException {
        long replaced = write("/f", bytes(10, 3));
        write("/g", bytes(20, 4));
        client.rename("/g", "/f", RenameOption.REPLACE);
        assertThat(client.lookup(replaced)).isEmpty();
        assertThatThrownBy(() -> client.open(replaced)).isInstanceOf(NoSuchNodeException.class);
        long removed = client.status("/f").id();
        client.delete("/f", false);
        assertThatThrownBy(() -> client.open(removed)).isInstanceOf(NoSuchNodeException.class);
    }
}
