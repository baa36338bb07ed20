// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ReadOnlyException;
import io.crail.namenode.engine.Engine;
import io.crail.namenode.engine.Recovery;
import io.crail.namenode.log.DurabilityListener;
import io.crail.namenode.log.LogWriter;
import io.crail.namenode.log.MetadataDirectory;
import io.crail.namenode.log.MetadataFiles;
import io.crail.namenode.rpc.RpcServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running namenode. Several may live in one process, each with a metadata directory of its own.
 * Thread-safe.
 */
public final class NamenodeServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(NamenodeServer.class);
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final MetadataDirectory directory;
    private final LogWriter log;
    private final Engine engine;
    private final RpcServer server;

    private NamenodeServer(
            MetadataDirectory directory, LogWriter log, Engine engine, RpcServer server) {
        this.directory = directory;
        this.log = log;
        this.engine = engine;
        this.server = server;
    }

    /** Recovers the metadata and starts answering; returns when clients can connect. */
    public static NamenodeServer start(NamenodeConfig config) throws IOException {
        return start(config, MetadataFiles.ofSystem(), Clock.systemUTC());
    }

    /** As {@link #start(NamenodeConfig)}, with the files and the clock to use. */
    public static NamenodeServer start(NamenodeConfig config, MetadataFiles files, Clock clock)
            throws IOException {
        MetadataDirectory directory =
                MetadataDirectory.open(config.metadataDirectory(), files, UUID::randomUUID);
        try {
            return start(config, directory, clock);
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    private static NamenodeServer start(
            NamenodeConfig config, MetadataDirectory directory, Clock clock) throws IOException {
        SecureRandom random = new SecureRandom();
        Recovery recovery = new Recovery(directory, clock, random, config.inlineMemory());
        Recovery.Result recovered = recovery.recover(config.cutLogAtCorruption());
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
                            clock,
                            System::nanoTime,
                            random,
                            software());
            engine.beginEpoch(bootId());
            RpcServer server =
                    RpcServer.bind(
                            new InetSocketAddress(
                                    InetAddress.getByName(config.bindHost()), config.bindPort()),
                            config.rpc(),
                            engine);
            durable.started(engine, server);
            server.start();
            LOG.info("namenode of cluster {} listens on {}", directory.cluster(), server.address());
            return new NamenodeServer(directory, log, engine, server);
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    private static String software() {
        String version = NamenodeServer.class.getPackage().getImplementationVersion();
        return "crail " + (version == null ? "development" : version);
    }

    private static String bootId() {
        try {
            return Files.readString(BOOT_ID).trim();
        } catch (IOException e) {
            LOG.debug("the boot id of this host is unknown: {}", e.toString());
            return "";
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.address();
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

    /** Stops answering and releases the metadata directory. Everything acknowledged is logged. */
    @Override
    public void close() throws IOException {
        try (directory;
                log) {
            server.close();
            engine.close();
        }
    }

    /** Connects the log's sync thread with the server, which is made after it. */
    private static final class Durable implements DurabilityListener {
        private record Target(Engine engine, RpcServer server) {}

        private final AtomicReference<Target> target = new AtomicReference<>();

        void started(Engine engine, RpcServer server) {
            target.set(new Target(engine, server));
        }

        @Override
        public void durable(long sequence) {
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
