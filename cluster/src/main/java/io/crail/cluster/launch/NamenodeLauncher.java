// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.namenode.NamenodeConfig;
import io.crail.namenode.NamenodeServer;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.launch.RunningServer;
import io.crail.protocol.launch.ServerLauncher;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts namenodes. */
public final class NamenodeLauncher implements ServerLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(NamenodeLauncher.class);

    @Override
    public String role() {
        return "namenode";
    }

    @Override
    public RunningServer start(Configuration configuration) throws CrailException {
        try {
            NamenodeConfig config = NamenodeConfigurations.of(configuration);
            Optional<String> warning =
                    config.authentication().warning(Party.NAMENODE, config.bindHost());
            return new Running(NamenodeServer.start(config), warning);
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new InternalException("namenode cannot start: " + e, e);
        }
    }

    private record Running(NamenodeServer server, Optional<String> warning)
            implements RunningServer {
        @Override
        public String address() {
            InetSocketAddress address = server.address();
            return new Endpoint(address.getAddress().getHostAddress(), address.getPort())
                    .toString();
        }

        @Override
        public Optional<String> statusUrl() {
            return server.statusUrl();
        }

        @Override
        public void awaitEnd() throws CrailException {
            try {
                Optional<Throwable> failure = server.awaitEnd(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
                if (failure.isPresent()) {
                    throw new InternalException(
                            "the namenode has ended: " + failure.get(), failure.get());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancelledException("interrupted", e);
            }
        }

        @Override
        public void close() {
            try {
                server.close();
            } catch (IOException e) {
                LOG.warn("The namenode did not end in order: {}", e.toString());
            }
        }
    }
}
