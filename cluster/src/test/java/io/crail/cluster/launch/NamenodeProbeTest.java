// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.TimeoutException;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether somebody listens where a namenode is said to be. */
@Timeout(60)
class NamenodeProbeTest {
    /** Nobody listens there: it is of those that only who is privileged may use. */
    private static final Endpoint NOBODY = new Endpoint("127.0.0.1", 1);

    @Test
    void oneThatListensIsEnough() throws IOException, CrailException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint somebody = new Endpoint("127.0.0.1", listener.getLocalPort());
            NamenodeProbe.await(List.of(NOBODY, somebody), Duration.ofSeconds(30));
        }
    }

    @Test
    void whereNobodyListensTheErrorTellsWhereAndForHowLong() {
        assertThatThrownBy(() -> NamenodeProbe.await(List.of(NOBODY), Duration.ofSeconds(1)))
                .isInstanceOf(TimeoutException.class)
                .hasCauseInstanceOf(ConnectException.class)
                .hasMessageContaining("[127.0.0.1:1] within 1 s");
    }
}
