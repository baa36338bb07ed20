// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.testing.FakeCluster;
import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fake cluster for each test, and a look at what the test left behind. */
abstract class ClientTestBase {
    private FakeCluster cluster;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    ClientTestBase() {}

    @BeforeEach
    final void startCluster() throws IOException {
        cluster = new FakeCluster(2);
    }

    @AfterEach
    final void nothingIsLeftBehind() throws IOException {
        cluster.close();
        assertThat(clientThreads()).isEmpty();
    }

    final FakeCluster cluster() {
        return cluster;
    }

    static Set<String> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("crail-"))
                .collect(Collectors.toSet());
    }

    static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static byte[] readAll(CrailClient client, String path) throws IOException {
        try (CrailFile file = client.open(path);
                CrailInputStream in = file.newInputStream()) {
            return in.readAllBytes();
        }
    }

    static void write(CrailClient client, String path, byte[] bytes) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(bytes);
        }
    }
}
