// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.data.BlockIo;
import io.crail.client.data.DataPaths;
import io.crail.client.data.ExtentReader;
import io.crail.client.data.ServerDirectory;
import io.crail.client.data.ServerQuestions;
import io.crail.client.engine.Counters;
import io.crail.client.engine.DirectBufferPool;
import io.crail.client.engine.Engine;
import io.crail.client.engine.EngineSettings;
import io.crail.client.file.Values;
import io.crail.client.rpc.Session;
import io.crail.client.rpc.SessionSettings;
import io.crail.client.spi.DataPathProvider;
import io.crail.client.spi.RpcTransportProvider;
import io.crail.client.view.HeldBlocks;
import io.crail.client.view.OpenViews;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ServerLostException;
import io.crail.protocol.authentication.Credentials;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The parts of one client, wired together. Views of the client share it. */
final class ClientCore {
    private static final String SHARED_MEMORY = "shm";

    private final ClientConfig config;
    private final Engine engine;
    private final Session session;
    private final ServerDirectory directory;
    private final DataPaths paths;
    private final BlockIo blocks;
    private final ExtentReader reader;
    private final Values values;
    private final OpenViews views;
    private final ViewLeaks leaks = new ViewLeaks();
    private final AtomicBoolean closed = new AtomicBoolean();

    static ClientCore of(ClientConfig config) throws CrailException {
        try {
            return new ClientCore(config);
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw noSelector(e);
        }
    }

    private ClientCore(ClientConfig config) throws IOException {
        this.config = config;
        Credentials credentials = config.authentication().forCaller();
        RpcTransportProvider transport = rpcTransport(config.rpcTransport());
        Surroundings machine = config.surroundings();
        this.engine =
                new Engine(
                        new EngineSettings(
                                config.clientName(),
                                config.bufferPoolBytes(),
                                config.connectTimeout().toNanos(),
                                machine.sockets(),
                                machine.clock(),
                                machine.network(),
                                machine.threads(),
                                config.busyPoll(),
                                config.transportOptions()));
        this.session =
                new Session(
                        engine,
                        new SessionSettings(
                                config.namenodes(),
                                transport,
                                config.unixSocket() ? transport.local() : Optional.empty(),
                                config.clientName(),
                                config.user(),
                                config.group(),
                                config.locationClass(),
                                (int) config.sessionTimeout().toMillis(),
                                config.deadline().toNanos(),
                                credentials,
                                new SplittableRandom(machine.seeds().getAsLong())));
        this.directory = new ServerDirectory(session);
        this.paths =
                new DataPaths(
                        session,
                        directory,
                        dataPathProviders(config),
                        engine,
                        engine.counters(),
                        config.clientName(),
                        credentials,
                        config.connectionsPerServer());
        this.blocks = new BlockIo(paths);
        this.reader = new ExtentReader(blocks, engine.buffers());
        this.values = new Values(engine, session, blocks, reader);
        this.views = new OpenViews(config.viewBlocks(), config.poisonViews());
    }

    private static <T> List<T> providers(Class<T> kind) {
        List<T> found = new ArrayList<>();
        ServiceLoader.load(kind, ClientCore.class.getClassLoader()).forEach(found::add);
        return found;
    }

    private static List<DataPathProvider> dataPathProviders(ClientConfig config) {
        List<DataPathProvider> all = providers(DataPathProvider.class);
        if (!config.sharedMemory()) {
            all.removeIf(provider -> provider.transport().equals(SHARED_MEMORY));
        }
        return all;
    }

    private static RpcTransportProvider rpcTransport(String name) throws InvalidArgumentException {
        List<RpcTransportProvider> all = providers(RpcTransportProvider.class);
        for (RpcTransportProvider provider : all) {
            if (provider.name().equals(name)) {
                return provider;
            }
        }
        throw new InvalidArgumentException(
                "rpcTransport: no provider '"
                        + name
                        + "' on the class path; there are "
                        + all.stream().map(RpcTransportProvider::name).toList());
    }

    ClientConfig config() {
        return config;
    }

    Engine engine() {
        return engine;
    }

    Session session() {
        return session;
    }

    /** Whether a storage server is reached by memory of this host, as far as it was needed. */
    boolean isLocal(int server) {
        return paths.isLocal(server);
    }

    /** Whether what is read of a storage server may be lent, as far as it was needed. */
    boolean lendsReads(int server) {
        return paths.lendsReads(server);
    }

    /** To be closed by the caller. */
    ServerQuestions questions() {
        return new ServerQuestions(directory, paths);
    }

    ServerDirectory directory() {
        return directory;
    }

    BlockIo blocks() {
        return blocks;
    }

    ExtentReader reader() {
        return reader;
    }

    Values values() {
        return values;
    }

    OpenViews views() {
        return views;
    }

    /** The public view of blocks that are held. */
    CrailView view(String what, HeldBlocks held) {
        return leaks.view(what, held);
    }

    ClientStatistics statistics() {
        Counters counters = engine.counters();
        DirectBufferPool.Usage pool = engine.bufferUsage();
        return new ClientStatistics(
                counters.rpcCalls.sum(),
                counters.rpcRetries.sum(),
                counters.reconnects.sum(),
                counters.sessions.sum(),
                counters.blockReads.sum(),
                counters.blockWrites.sum(),
                counters.bytesRead.sum(),
                counters.bytesWritten.sum(),
                counters.staleReferences.sum(),
                counters.checksumFailures.sum(),
                counters.timeouts.sum(),
                movedBy(Counters.Way::transport),
                movedBy(Counters.Way::storageClass),
                pool.bytes(),
                pool.bytesInUse(),
                pool.hits(),
                pool.misses(),
                views.held(),
                session.peer());
    }

    private <K> Map<K, ClientStatistics.Moved> movedBy(Function<Counters.Way, K> key) {
        return engine.counters().ways().entrySet().stream()
                .collect(
                        Collectors.toUnmodifiableMap(
                                entry -> key.apply(entry.getKey()),
                                entry -> moved(entry.getValue()),
                                ClientStatistics.Moved::and));
    }

    private static ClientStatistics.Moved moved(Counters.Moved counters) {
        return new ClientStatistics.Moved(
                counters.read.sum(), counters.written.sum(), counters.lent.sum());
    }

    /** First the namenode is told, then everything outstanding fails, then the threads end. */
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        session.close();
        views.close();
        paths.close(new ClosedException("the client is closed"));
        engine.close();
    }

    private static ServerLostException noSelector(IOException e) {
        return new ServerLostException("the client cannot open a selector", e);
    }
}
