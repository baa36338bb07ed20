// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage;

import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.TimeoutException;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.message.ServerTable.Endpoint;
import io.crail.protocol.node.Names;
import io.crail.status.StatusServer;
import io.crail.storage.directory.ServerDirectory;
import io.crail.storage.registration.Registration;
import io.crail.storage.registration.RegistrationSettings;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.StorageTierProvider;
import io.crail.storage.spi.TierContext;
import io.crail.storage.spi.TierStatistics;
import io.crail.storage.status.StorageStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running storage server: one tier, registered with a namenode. Several may run in one JVM, each
 * with its own directory.
 *
 * <p>Thread-safe. It runs on daemon threads of its own until {@link #close}.
 */
public final class StorageServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StorageServer.class);

    private final StorageConfig config;
    private final ServerDirectory directory;
    private final StorageTier tier;
    private final Registration registration;
    private final Optional<StatusServer> status;
    private boolean closed;

    private StorageServer(
            StorageConfig config,
            ServerDirectory directory,
            StorageTier tier,
            Registration registration,
            Optional<StatusServer> status) {
        this.config = config;
        this.directory = directory;
        this.tier = tier;
        this.registration = registration;
        this.status = status;
    }

    /**
     * Starts a server. When this returns, its port is bound and it looks for the namenode, as long
     * as it takes; clients are served from the first registration on.
     *
     * @throws CrailException if the configuration is impossible, or the directory, the port or the
     *     memory cannot be had
     */
    public static StorageServer start(StorageConfig config) throws CrailException {
        StorageTierProvider provider = provider(config.tier());
        Credentials credentials =
                config.authentication().forServer(Party.STORAGE_SERVER, config.bindHost());
        config.authentication()
                .warning(Party.STORAGE_SERVER, config.bindHost())
                .ifPresent(LOG::warn);
        ServerDirectory directory = ServerDirectory.open(path(config), config.format());
        try {
            StorageTier tier = provider.open(context(config, directory, credentials));
            try {
                Registration registration =
                        new Registration(settings(config, credentials), directory, tier);
                Optional<StatusServer> status =
                        StatusServer.start(
                                config.status(),
                                config.authentication(),
                                Party.STORAGE_SERVER,
                                status(config, tier, registration));
                registration.start(told(config, status));
                return new StorageServer(config, directory, tier, registration, status);
            } catch (CrailException | RuntimeException e) {
                tier.close();
                throw e;
            }
        } catch (CrailException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** What is announced to clients; the port is the one really bound. */
    public List<Endpoint> endpoints() {
        return tier.endpoints();
    }

    /**
     * Whether the cluster has storage of several classes, as the namenode told last: then there is
     * something to be moved between them.
     */
    public boolean hasTiers() {
        return registration.hasTiers();
    }

    /** Where it shows its status, if it does: {@code http://HOST:PORT}. */
    public Optional<String> statusUrl() {
        return status.map(StatusServer::url);
    }

    /** Where segments and identity are. */
    public Path directory() {
        return directory.path();
    }

    public TierStatistics statistics() {
        return tier.statistics();
    }

    /**
     * Waits until the server has registered for the first time.
     *
     * @return the id the namenode gave it
     * @throws TimeoutException if it takes longer than {@code timeout}
     * @throws CrailException if the server had to give up: its directory belongs to another
     *     cluster, is damaged, or too small
     */
    public int awaitRegistered(Duration timeout) throws CrailException {
        return await(registration.registered(), timeout, "registered with a namenode");
    }

    /**
     * Waits until the namenode knows the whole capacity.
     *
     * @throws TimeoutException if it takes longer than {@code timeout}
     * @throws CrailException if the capacity cannot be reached
     */
    public void awaitFilled(Duration timeout) throws CrailException {
        await(registration.filled(), timeout, "announced its whole capacity");
    }

    /**
     * Waits until the server ends by itself or is closed.
     *
     * @throws CrailException if it ended by itself: why
     */
    public void awaitEnd() throws CrailException {
        await(registration.ended(), Duration.ofDays(36_500), "ended");
    }

    /**
     * Ends the service. The segments stay and are attached by the next start in the same directory,
     * unless the configuration says {@code removeOnExit}. Idempotent.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        status.ifPresent(StatusServer::close);
        registration.close();
        tier.close();
        if (!config.removeOnExit()) {
            directory.close();
            return;
        }
        try {
            tier.remove();
            directory.removeAndClose();
        } catch (CrailException e) {
            LOG.warn("Some files stay: {}", e.getMessage());
        }
    }

    private static <T> T await(Future<T> future, Duration timeout, String what)
            throws CrailException {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CrailException reason) {
                throw CrailException.of(reason.code(), String.valueOf(reason.getMessage()), reason);
            }
            throw new InternalException("storage server failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("storage server has not " + what + " within " + timeout, e);
        }
    }

    private static StorageTierProvider provider(String name) throws InvalidArgumentException {
        TreeSet<String> known = new TreeSet<>();
        for (StorageTierProvider provider :
                ServiceLoader.load(
                        StorageTierProvider.class, StorageServer.class.getClassLoader())) {
            if (provider.name().equals(name)) {
                return provider;
            }
            known.add(provider.name());
        }
        throw new InvalidArgumentException(
                "no storage tier " + name + " on the class path, only " + known);
    }

    private static StorageStatus status(
            StorageConfig config, StorageTier tier, Registration registration) {
        return new StorageStatus(
                config.tier(),
                config.capacity(),
                tier,
                registration.registered(),
                registration.ended(),
                System::nanoTime);
    }

    private static Path path(StorageConfig config) throws CrailException {
        Path configured = config.directory();
        return configured != null
                ? configured
                : ServerDirectory.inSharedMemory("storage-" + config.bindPort());
    }

    private static TierContext context(
            StorageConfig config, ServerDirectory directory, Credentials credentials) {
        return new TierContext(
                directory.identity(),
                directory.path(),
                config.capacity(),
                config.segmentSize(),
                config.format(),
                config.bindHost(),
                config.bindPort(),
                advertised(config),
                config.limits(),
                credentials,
                config.tierOptions());
    }

    private static List<String> advertised(StorageConfig config) {
        if (!config.advertisedHosts().isEmpty()) {
            return config.advertisedHosts();
        }
        boolean anyAddress = config.bindHost().equals("0.0.0.0") || config.bindHost().equals("::");
        return List.of(anyAddress ? config.hostName() : config.bindHost());
    }

    /** Where operators find the status: what is too long for the namenode stays untold. */
    private static String told(StorageConfig config, Optional<StatusServer> status) {
        return status.map(shown -> shown.urlFor(advertised(config).get(0)))
                .filter(url -> url.length() <= Names.MAX_NAME)
                .orElse("");
    }

    private static String software() {
        String version = StorageServer.class.getPackage().getImplementationVersion();
        return "crail " + (version == null ? "development" : version);
    }

    private static RegistrationSettings settings(StorageConfig config, Credentials credentials) {
        return new RegistrationSettings(
                config.namenodes(),
                config.hostName(),
                config.tier(),
                config.storageClass(),
                config.locationClass(),
                software(),
                credentials,
                config.requestTimeout(),
                config.minBackoff(),
                config.maxBackoff());
    }
}
