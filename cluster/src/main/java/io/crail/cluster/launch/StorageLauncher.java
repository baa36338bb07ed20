// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import io.crail.error.CrailException;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.launch.RunningServer;
import io.crail.protocol.launch.ServerLauncher;
import io.crail.protocol.message.ServerTable;
import io.crail.storage.StorageServer;
import java.time.Duration;

/** Starts storage servers. */
public final class StorageLauncher implements ServerLauncher {
    /** A namenode that is not there yet is waited for, but not for ever. */
    private static final Duration REGISTRATION = Duration.ofSeconds(60);

    @Override
    public String role() {
        return "storage";
    }

    /** Returns when the server is registered: only then it is of use to anybody. */
    @Override
    public RunningServer start(Configuration configuration) throws CrailException {
        StorageServer server = StorageServer.start(StorageConfigurations.of(configuration));
        try {
            Duration deadline = configuration.get(ClientKeys.DEADLINE);
            server.awaitRegistered(deadline.compareTo(REGISTRATION) > 0 ? deadline : REGISTRATION);
            return new Running(server);
        } catch (CrailException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private record Running(StorageServer server) implements RunningServer {
        @Override
        public String address() {
            ServerTable.Endpoint endpoint = server.endpoints().get(0);
            return new Endpoint(endpoint.host(), endpoint.port()).toString();
        }

        @Override
        public void awaitEnd() throws CrailException {
            server.awaitEnd();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
