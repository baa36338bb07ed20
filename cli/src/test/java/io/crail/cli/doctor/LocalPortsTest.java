// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.probe.StatusPage;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class LocalPortsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private final LocalPorts ports =
            new LocalPorts(new StatusPage(Optional.empty(), Runnable::run, Duration.ofSeconds(2)));

    @Test
    void aPortThatNobodyHasIsFree() throws IOException {
        Endpoint at;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            at = new Endpoint("127.0.0.1", socket.getLocalPort());
            assertThat(ports.rpc(at)).isEqualTo(PortCheck.State.TAKEN); // It accepts, and is mute.
        }
        assertThat(ports.rpc(at)).isEqualTo(PortCheck.State.FREE);
    }

    @Test
    void aNamenodeIsRecognised() {
        Endpoint namenode = Endpoint.parse(CLUSTER.namenode());
        assertThat(ports.rpc(namenode)).isEqualTo(PortCheck.State.CRAIL);
        assertThat(ports.status(namenode)).isEqualTo(PortCheck.State.TAKEN);
        assertThat(ports.rpc(new Endpoint("0.0.0.0", namenode.port())))
                .isEqualTo(PortCheck.State.CRAIL);
    }

    @Test
    void anAddressOfAnotherMachineIsTold() {
        assertThat(ports.rpc(new Endpoint("192.0.2.1", 9060))) // RFC 5737: of no machine.
                .isEqualTo(PortCheck.State.NOT_HERE);
    }
}
