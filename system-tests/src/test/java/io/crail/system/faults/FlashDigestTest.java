// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.error.CorruptDataException;
import io.crail.system.faults.PduProxy.Part;
import io.crail.system.process.Ports;
import io.crail.system.process.ProcessCluster;
import io.crail.system.process.StatusPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bits that flip on the way between a client and the target of a flash server. */
@Tag("faults")
@Timeout(120)
final class FlashDigestTest {
    private static final int SIZE = 3 << 20;
    private static final String DAMAGED = "crail_storage_damaged_messages_total";

    /** A flash server that announces an address at which a proxy stands. */
    private static final class Lines implements AutoCloseable {
        final ProcessCluster cluster;
        final PduProxy proxy;
        final StatusPage status;

        Lines() throws IOException {
            int statusPort = Ports.free();
            status = new StatusPage(statusPort);
            cluster =
                    ProcessCluster.builder()
                            .servers(0)
                            .flash("64 MiB")
                            .set("storage.nvmf.allocation", "sparse")
                            .set("storage.advertise.hosts", "127.0.0.2")
                            .set("storage.status.bind.port", Integer.toString(statusPort))
                            .start();
            String address = cluster.storageAddress(0);
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            proxy = new PduProxy(loopback(2, port), loopback(1, port));
        }

        private static InetSocketAddress loopback(int last, int port) throws IOException {
            byte[] address = {127, 0, 0, (byte) last};
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        }

        CrailClient connect(String digests) throws IOException {
            CrailClient client =
                    CrailClient.connect(
                            cluster.clientConfig()
                                    .deadline(Duration.ofSeconds(30))
                                    .sharedMemory(false) // nor the socket of the same host
                                    .transportOption("nvmf.digests", digests)
                                    .build());
            client.mkdir("/" + digests, CreateOptions.builder().storageClass(1).build());
            return client;
        }

        /** What the server's status counts of damaged messages. */
        long damagedAtServer() throws IOException {
            return status.value(DAMAGED);
        }

        @Override
        public void close() {
            proxy.close();
            cluster.close();
        }
    }

    @Test
    void withDigestsWhatIsDamagedIsRepeatedAndCounted() throws IOException {
        try (Lines lines = new Lines();
                CrailClient client = lines.connect("both")) {
            int written = 0;
            for (Part part : Part.values()) {
                String path = "/both/" + part;
                byte[] content = Payload.random(written++, SIZE);

                long atServer = lines.damagedAtServer();
                int damaged = lines.proxy.damaged();
                lines.proxy.damageNext(true, part, 1);
                Payload.write(client, path, content);
                assertThat(lines.proxy.damaged()).as("on the way there").isEqualTo(damaged + 1);
                assertThat(lines.damagedAtServer()).as("status").isEqualTo(atServer + 1);

                long atClient = client.clientStatistics().checksumFailures();
                lines.proxy.damageNext(false, part, 1);
                assertThat(Payload.read(client, path)).as("%s", part).isEqualTo(content);
                assertThat(lines.proxy.damaged()).as("on the way back").isEqualTo(damaged + 2);
                assertThat(client.clientStatistics().checksumFailures())
                        .as("statistics of the client")
                        .isEqualTo(atClient + 1);

                lines.proxy.repair();
                assertThat(Payload.read(client, path)).as("%s again", part).isEqualTo(content);
            }
        }
    }

    @Test
    void withoutDigestsTheChecksumsOfBlocksFindIt() throws IOException {
        try (Lines lines = new Lines();
                CrailClient client = lines.connect("off")) {
            byte[] content = Payload.random(1, SIZE);
            Payload.write(client, "/off/read", content);
            lines.proxy.damageNext(false, Part.DATA, Integer.MAX_VALUE);
            assertThatThrownBy(() -> Payload.read(client, "/off/read"))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("/off/read")
                    .hasMessageContaining("storage server");
            lines.proxy.repair();
            assertThat(Payload.read(client, "/off/read")).isEqualTo(content);

            lines.proxy.damageNext(true, Part.DATA, 1);
            Payload.write(client, "/off/written", content);
            assertThat(lines.damagedAtServer()).as("nobody looked").isZero();
            assertThatThrownBy(() -> Payload.read(client, "/off/written"))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("/off/written");
        }
    }
}
