// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes that change on their way from a storage server to a client. */
@Tag("faults")
final class FlippedBitsTest {
    private static final int SIZE = 4 << 20;
    private static final int READS = 60;
    private static final int LONGEST = 1 << 20;

    @Test
    void flippedBitsAreNoticedAndNeverHandedOut() throws IOException {
        long seed = Long.getLong("crail.seed", System.nanoTime());
        try (ProcessCluster cluster =
                ProcessCluster.builder()
                        .servers(1)
                        .set("storage.advertise.hosts", "127.0.0.2")
                        .start()) {
            // The server announces an address at which the proxy stands.
            String address = cluster.storageAddress(0);
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            try (FlippingProxy proxy =
                            new FlippingProxy(loopback(2, port), loopback(1, port), seed);
                    CrailClient client =
                            CrailClient.connect(
                                    cluster.clientConfig().sharedMemory(false).build())) {
                readThrough(proxy, client, new Random(seed), seed);
            }
        }
    }

    private static InetSocketAddress loopback(int last, int port) throws IOException {
        byte[] address = {127, 0, 0, (byte) last};
        return new InetSocketAddress(InetAddress.getByAddress(address), port);
    }

    private static void readThrough(
            FlippingProxy proxy, CrailClient client, Random random, long seed) throws IOException {
        byte[] content = Payload.random(seed, SIZE);
        Payload.write(client, "/f", content);
        int corrupt = 0;
        // A length that was hit may make the client wait for bytes that nobody sends.
        CrailClient hasty = client.withDeadline(Duration.ofSeconds(3));
        try (CrailFile file = hasty.open("/f")) {
            proxy.setFlipping(true);
            for (int i = 0; i < READS; i++) {
                int length = 1 + random.nextInt(LONGEST);
                int from = random.nextInt(SIZE - length);
                ByteBuffer bytes =
                        i % 2 == 0
                                ? ByteBuffer.allocate(length)
                                : ByteBuffer.allocateDirect(length);
                try {
                    file.readFully(from, bytes);
                    assertThat(bytes.flip())
                            .as("%s bytes from %s on, seed %s", length, from, seed)
                            .isEqualTo(ByteBuffer.wrap(content, from, length));
                } catch (CorruptDataException e) {
                    assertThat(e).hasMessageContaining("/f");
                    corrupt++;
                } catch (CrailException e) {
                    // A frame's header was hit: the connection is of no use, which is told, too.
                    assertThat(e.getMessage()).isNotEmpty();
                }
            }
            proxy.setFlipping(false);
            assertThat(corrupt).as("seed %s", seed).isPositive();
            assertThat(client.clientStatistics().checksumFailures()).isPositive();
        }
        assertThat(Payload.read(client, "/f")).isEqualTo(content);
    }
}
