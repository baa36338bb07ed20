// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.FabricConnection;
import io.crail.nvmf.fabric.FabricHost;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.Fabrics;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.layout.HostKey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may take a namespace from whom, at our target; connections are made in the test's order. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // Started before each test.
class OwnershipTest {
    private static final String NAME = "the namespace";
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final UUID SERVER = ExternalFixture.IDENTITY;
    private static final UUID OTHER = new UUID(5, 5);

    @TempDir Path directory;
    private ExternalFixture fixture;
    private Fabric fabric;
    private int port;
    private final SecureRandom random = new SecureRandom();
    private final List<FabricConnection> connections = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        fixture = new ExternalFixture(directory.resolve("image"), 8 << 20);
        fabric = Fabrics.open("tcp");
        port = fixture.port();
    }

    @AfterEach
    void stop() throws IOException {
        connections.forEach(FabricConnection::close);
        fabric.close();
        fixture.close();
    }

    private Ownership ownership(UUID server) {
        return new Ownership(NAME, server, random);
    }

    /** A connection by a host of its own, as each connection of a server is. */
    private FabricNamespace connect(UUID server) throws IOException {
        FabricConnection connection = further(server);
        connections.add(connection);
        return connection.namespace(1);
    }

    private void restore(Ownership ownership, UUID server) throws IOException {
        ownership.restore(connect(server), () -> further(server));
    }

    private FabricConnection further(UUID server) throws NvmeException, InterruptedIOException {
        UUID id = new UUID(server.getMostSignificantBits(), random.nextLong());
        return fabric.connect(
                new NvmeAddress("127.0.0.1", port, ExternalFixture.NQN),
                new FabricHost(
                        "nqn.2014-08.org.nvmexpress:uuid:" + id,
                        id,
                        FabricHost.Digests.NONE,
                        false,
                        1,
                        16,
                        16,
                        BOUND,
                        BOUND,
                        BOUND,
                        BOUND,
                        BOUND));
    }

    private Ownership taken(UUID server) throws IOException {
        Ownership ownership = ownership(server);
        restore(ownership, server);
        ownership.take(false);
        return ownership;
    }

    private static void isHeldByOneServer(Ownership ownership) throws IOException {
        ReservationStatus status = ownership.report();
        assertThat(status.registrants())
                .singleElement()
                .matches(ReservationStatus.Registrant::holds)
                .matches(each -> HostKey.isServer(each.key()));
    }

    @Test
    void whoeverComesBackTakesItAgainAndFencesItsFormerConnection() throws Exception {
        Ownership server = taken(SERVER);
        restore(server, SERVER);
        isHeldByOneServer(server);
    }

    @Test
    void theFormerLifeIsToldThatItHasEndedWhenItComesBack() throws Exception {
        Ownership former = taken(SERVER);
        Ownership next = taken(SERVER);
        assertThatThrownBy(() -> restore(former, SERVER))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage(
                        NAME
                                + " was taken by another life of this storage server; there must"
                                + " be one only. Stop one of them");
        isHeldByOneServer(next);
    }

    @Test
    void anotherServerIsToldWhoHoldsIt() throws Exception {
        Ownership holder = taken(SERVER);
        Ownership other = ownership(OTHER);
        restore(other, OTHER);
        assertThatThrownBy(() -> other.take(false))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("belongs to somebody else: host ")
                .hasMessageContaining("--format");
        isHeldByOneServer(holder);
    }

    @Test
    void whatIsGivenUpIsTakenFromAnotherServer() throws Exception {
        Ownership former = taken(SERVER);
        Ownership other = ownership(OTHER);
        restore(other, OTHER);
        assertThat(other.take(true)).isTrue();
        isHeldByOneServer(other);
        assertThatThrownBy(() -> restore(former, SERVER))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("belongs to somebody else");
    }
}
