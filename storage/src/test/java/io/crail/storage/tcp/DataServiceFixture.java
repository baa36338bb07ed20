// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.block.BlockReference;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.segment.Segment;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.testing.Grants;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.TestSegments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A data service over real sockets, and its clients; tests of it run once per transport. */
abstract class DataServiceFixture {
    static final int MIB = 1 << 20;
    static final int ALL = BlockReference.READ | BlockReference.WRITE;
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofMillis(200);
    static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    static final Grants GRANTS = new Grants(KEY, 7, 99);
    static final Gatekeeper OPEN = new Gatekeeper(Credentials.NONE, Party.STORAGE_SERVER);
    static final byte[] NOTHING = {};

    @TempDir static Path directory;

    private final String transport;
    Segment segment;
    BlockTable table;
    TcpDataService service;
    final List<RawClient> clients = new ArrayList<>();

    DataServiceFixture(String transport) {
        this.transport = transport;
    }

    @BeforeEach
    void start() throws IOException {
        start(new ServiceLimits(100, LONG, LONG, LONG, LONG));
    }

    final void start(ServiceLimits limits) throws IOException {
        stop();
        TestSegments.files(directory).removeAll();
        segment = TestSegments.create(directory, 0, 4 * MIB);
        table = new BlockTable(segment);
        Blocks blocks = new Blocks();
        blocks.add(table);
        service =
                new TcpDataService(
                        blocks,
                        limits,
                        "127.0.0.1",
                        0,
                        new LoopOptions(transport, 2, true),
                        null,
                        OPEN);
        service.admit(new Admission(TestSegments.CLUSTER, 7, KEY, 5));
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        clients.clear();
        if (service != null) {
            service.close();
        }
    }

    /** A client before its hello. */
    RawClient stranger() throws IOException {
        RawClient client = new RawClient(service.port());
        clients.add(client);
        return client;
    }

    RawClient client() throws IOException {
        RawClient client = stranger();
        client.hello(GRANTS.session(), GRANTS.ticket()).success();
        return client;
    }

    BlockReference block(int record, int length) {
        return GRANTS.block(0, record, length, segment.incarnation());
    }

    static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    void assertServesOthers() throws IOException {
        assertThat(client().ping().status()).isZero();
    }
}
