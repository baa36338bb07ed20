// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import io.crail.error.CrailException;
import io.crail.error.TimeoutException;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether somebody listens where namenodes are said to be, before a server does what
 * takes minutes and would be in vain otherwise. Who it is, registration finds out.
 */
final class NamenodeProbe {
    private static final Logger LOG = LoggerFactory.getLogger(NamenodeProbe.class);
    private static final int CONNECT_MILLIS = 2_000;
    private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    private NamenodeProbe() {}

    /**
     * Returns as soon as one of them takes a connection; says so if it has to wait.
     *
     * @throws TimeoutException if none does in time
     */
    static void await(List<Endpoint> namenodes, Duration patience) throws CrailException {
        long end = System.nanoTime() + patience.toNanos();
        boolean told = false;
        while (true) {
            IOException last = null;
            for (Endpoint each : namenodes) {
                try (Socket socket = new Socket()) {
                    socket.connect(new InetSocketAddress(each.host(), each.port()), CONNECT_MILLIS);
                    return;
                } catch (IOException e) {
                    last = e;
                }
            }
            if (System.nanoTime() - end >= 0) {
                throw new TimeoutException(
                        "no namenode takes connections at "
                                + namenodes
                                + " within "
                                + patience.toSeconds()
                                + " s: "
                                + last,
                        last);
            }
            if (!told) {
                LOG.warn(
                        "No namenode takes connections at {} yet; trying for {} s: {}",
                        namenodes,
                        patience.toSeconds(),
                        String.valueOf(last));
                told = true;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
