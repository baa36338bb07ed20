// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.CancelledException;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.ReadOnlyException;
import io.crail.namenode.engine.Engine;
import io.crail.namenode.engine.Recovery;
import io.crail.namenode.log.DurabilityListener;
import io.crail.namenode.log.LogWriter;
import io.crail.namenode.log.MetadataDirectory;
import io.crail.namenode.rpc.RpcServer;
import io.crail.namenode.rpc.UnixSocket;
import io.crail.namenode.status.NamenodeStatus;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.status.StatusServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running namenode. Several may live in one process, each with a metadata directory of its own.
 * Thread-safe.
 */
public final class NamenodeServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(NamenodeServer.class);

    private final MetadataDirectory directory;
    private final LogWriter log;
    private final Engine engine;
    private final RpcServer server;
    private final Durable durable;
    private volatile Optional<StatusServer> status = Optional.empty();

    private NamenodeServer(
            MetadataDirectory directory,
            LogWriter log,
            Engine engine,
            RpcServer server,
            Durable durable) {
        this.directory = directory;
        this.log = log;
        this.engine = engine;
        this.server = server;
        this.durable = durable;
    }

    /** Recovers the metadata and starts answering; returns when clients can connect. */
    public static NamenodeServer start(NamenodeConfig config) throws IOException {
        return start(config, HostEnvironment.ofSystem());
    }

    /** As {@link #start(NamenodeConfig)}, on a given machine. */
    public static NamenodeServer start(NamenodeConfig config, HostEnvironment host)
            throws IOException {
        NamenodeServer namenode = prepare(config, host);
        namenode.server.start();
        try {
            namenode.status =
                    StatusServer.start(
                            config.status(),
                            config.authentication(),
                            Party.NAMENODE,
                            new NamenodeStatus(
                                    namenode.engine.counters(),
                                    namenode.server.traffic(),
                                    patience -> namenode.inEngine(Engine::status, patience),
                                    namenode.durable::synced,
                                    config.durability()));
            namenode.statusUrl().ifPresent(namenode.engine::shownAt);
            return namenode;
        } catch (IOException | RuntimeException e) {
            namenode.close();
            throw e;
        }
    }

    /**
     * As {@link #start(NamenodeConfig, HostEnvironment)}, but without a thread: the caller makes it
     * {@link #turn}.
     */
    static NamenodeServer prepare(NamenodeConfig config, HostEnvironment host) throws IOException {
        Gatekeeper gate = gatekeeper(config);
        MetadataDirectory directory =
                MetadataDirectory.open(
                        config.metadataDirectory(), host.files(), () -> newCluster(host.random()));
        try {
            return prepare(config, host, gate, directory);
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    private static UUID newCluster(SecureRandom random) {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private static Gatekeeper gatekeeper(NamenodeConfig config) throws IOException {
        Credentials credentials =
                config.authentication().forServer(Party.NAMENODE, config.bindHost());
        config.authentication().warning(Party.NAMENODE, config.bindHost()).ifPresent(LOG::warn);
        return new Gatekeeper(credentials, Party.NAMENODE);
    }

    private static NamenodeServer prepare(
            NamenodeConfig config,
            HostEnvironment host,
            Gatekeeper gate,
            MetadataDirectory directory)
            throws IOException {
        Recovery recovery = new Recovery(directory, host.random(), config.inlineMemory());
        Recovery.Result recovered = recovery.recover(config.cutLogAtCorruption(), host.bootId());
        Durable durable = new Durable();
        LogWriter log = directory.openLog(recovered.log(), config.durability(), durable);
        try {
            Engine engine =
                    new Engine(
                            config.engine(),
                            directory,
                            recovery,
                            recovered,
                            log,
                            host.clock(),
                            host.nanoTime(),
                            host.random(),
                            host.loop().nanoTime(),
                            gate,
                            software());
            long epoch = directory.reserveEpoch(recovered.state().epoch() + 1);
            engine.beginEpoch(
                    epoch, host.bootId(), config.durability(), recovered.hasLostRecords());
            RpcServer server =
                    RpcServer.bind(
                            new InetSocketAddress(
                                    InetAddress.getByName(config.bindHost()), config.bindPort()),
                            config.unixSocket() ? unixSocket(directory, host) : null,
                            config.rpc(),
                            engine,
                            host.loop());
            durable.started(engine, server);
            LOG.info(
                    "namenode of cluster {} listens on {}{}, {} authentication",
                    directory.cluster(),
                    server.address(),
                    server.localSocket().map(path -> " and " + path).orElse(""),
                    gate.isClosed() ? "with" : "without");
            return new NamenodeServer(directory, log, engine, server, durable);
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** In the metadata directory, which nobody else uses while it is open. */
    private static @Nullable UnixSocket unixSocket(
            MetadataDirectory directory, HostEnvironment host) {
        try {
            return UnixSocket.in(directory.path(), host.random());
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("No Unix socket; clients of this host use TCP, too: {}", e.getMessage());
            return null;
        }
    }

    private static String software() {
        String version = NamenodeServer.class.getPackage().getImplementationVersion();
        return "crail " + (version == null ? "development" : version);
    }

    /**
     * One turn of a server without a thread; see {@link RpcServer#turn}.
     *
     * @return nanoseconds until it wants the next one, unless a channel gets ready first
     */
    long turn() throws IOException {
        return server.turn();
    }

    /** The engine; only for who makes the server {@link #turn}. */
    Engine engine() {
        return engine;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Where it shows its status, if it does: {@code http://HOST:PORT}. */
    public Optional<String> statusUrl() {
        return status.map(StatusServer::url);
    }

    /** The cluster's id. */
    public UUID cluster() {
        return directory.cluster();
    }

    /** Waits until the server ends by itself, at most so long; what ended it, if anything did. */
    public Optional<Throwable> awaitEnd(long time, TimeUnit unit) throws InterruptedException {
        server.awaitEnd(time, unit);
        return server.failure();
    }

    /**
     * Calls {@code question} in the engine's thread, between two requests, and waits for the answer
     * for a bounded time: for tests.
     */
    <T> T inEngine(Function<Engine, T> question) throws IOException {
        return inEngine(question, Duration.ofSeconds(30));
    }

    private <T> T inEngine(Function<Engine, T> question, Duration patience) throws CrailException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean taken =
                server.execute(
                        () -> {
                            try {
                                answer.complete(question.apply(engine));
                            } catch (RuntimeException | Error e) {
                                answer.completeExceptionally(e);
                            }
                        });
        if (!taken) {
            throw new ClosedException("the namenode has stopped");
        }
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new InternalException("the engine did not answer: " + e, e);
        }
    }

    /** Stops answering and releases the metadata directory. Everything acknowledged is logged. */
    @Override
    public void close() throws IOException {
        try (directory;
                log) {
            status.ifPresent(StatusServer::close);
            server.close();
            engine.close();
        }
    }

    /** Connects the log's sync thread with the server, which is made after it. */
    private static final class Durable implements DurabilityListener {
        private record Target(Engine engine, RpcServer server) {}

        private final AtomicReference<Target> target = new AtomicReference<>();

        /** Of the last record that is known to be on disk; 0 while none was said to be. */
        private volatile long synced;

        void started(Engine engine, RpcServer server) {
            target.set(new Target(engine, server));
        }

        long synced() {
            return synced;
        }

        @Override
        public void durable(long sequence) {
            synced = sequence; // by the one sync thread
            Target to = target.get();
            if (to != null) {
                to.server.release(sequence);
            }
        }

        @Override
        public void failed(ReadOnlyException cause) {
            Target to = target.get();
            if (to != null) {
                to.server.execute(
                        () -> {
                            to.engine.fail(cause);
                            to.server.discardHeld();
                        });
            }
        }
    }
}
