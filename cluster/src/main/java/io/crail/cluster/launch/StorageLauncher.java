// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import io.crail.client.ClientConfig;
import io.crail.error.CrailException;
import io.crail.error.TimeoutException;
import io.crail.mover.Mover;
import io.crail.mover.MoverConfig;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.config.StorageKeys;
import io.crail.protocol.launch.RunningServer;
import io.crail.protocol.launch.ServerLauncher;
import io.crail.protocol.message.ServerTable;
import io.crail.storage.StorageConfig;
import io.crail.storage.StorageServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts storage servers. */
public final class StorageLauncher implements ServerLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(StorageLauncher.class);

    /** A namenode that is not there yet is waited for, but not for ever. */
    private static final Duration REGISTRATION = Duration.ofSeconds(60);

    /** A large memory takes longer to fill; the server is of use meanwhile. */
    private static final Duration FILLING = Duration.ofSeconds(20);

    @Override
    public String role() {
        return "storage";
    }

    /**
     * Returns when the server is registered and, unless that takes long, all its memory is on
     * offer: what a script does next should neither fail nor wait for pages to be cleared.
     */
    @Override
    public RunningServer start(Configuration configuration) throws CrailException {
        StorageConfig config = StorageConfigurations.of(configuration);
        Optional<String> warning =
                config.authentication().warning(Party.STORAGE_SERVER, config.bindHost());
        Duration deadline = configuration.get(ClientKeys.DEADLINE);
        Duration patience = deadline.compareTo(REGISTRATION) > 0 ? deadline : REGISTRATION;
        if (FlashConfigurations.makesFile(configuration)) {
            NamenodeProbe.await(configuration.get(ClientKeys.NAMENODES), patience);
        }
        StorageServer server = StorageServer.start(config);
        try {
            int id = server.awaitRegistered(patience);
            awaitFilled(server);
            return new Running(server, mover(configuration, server, id), warning);
        } catch (CrailException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /**
     * What moves blocks between this server and those of other classes. It is idle, without a
     * session, as long as the namenode says that there are none.
     */
    private static Optional<Mover> mover(
            Configuration configuration, StorageServer server, int id) {
        if (!configuration.get(StorageKeys.MOVER)) {
            return Optional.empty();
        }
        ClientConfig client =
                ClientConfig.builder(configuration)
                        .namenodes(
                                configuration.get(ClientKeys.NAMENODES).stream()
                                        .map(Endpoint::toString)
                                        .toList())
                        .clientName("crail-mover-" + id)
                        .user(System.getProperty("user.name", "unknown"))
                        .bufferPoolBytes(MoverConfig.BUFFER_BYTES)
                        .busyPoll(false)
                        .build();
        return Optional.of(
                Mover.start(
                        new MoverConfig(
                                client,
                                id,
                                server::hasTiers,
                                configuration.get(StorageKeys.MOVER_RATE).bytes(),
                                MoverConfig.BLOCKS)));
    }

    private static void awaitFilled(StorageServer server) throws CrailException {
        try {
            server.awaitFilled(FILLING);
        } catch (TimeoutException e) {
            LOG.info("Serving; the rest of the memory is being filled");
        }
    }

    private record Running(StorageServer server, Optional<Mover> mover, Optional<String> warning)
            implements RunningServer {
        @Override
        public String address() {
            // The first one is where blocks are; its host may say more than a host.
            List<ServerTable.Endpoint> endpoints = server.endpoints();
            String host =
                    endpoints.stream()
                            .filter(endpoint -> endpoint.transport().equals("tcp"))
                            .findFirst()
                            .orElse(endpoints.get(0))
                            .host();
            return new Endpoint(host, endpoints.get(0).port()).toString();
        }

        @Override
        public Optional<String> statusUrl() {
            return server.statusUrl();
        }

        @Override
        public void awaitEnd() throws CrailException {
            server.awaitEnd();
        }

        @Override
        public void close() {
            mover.ifPresent(Mover::close);
            server.close();
        }
    }
}
