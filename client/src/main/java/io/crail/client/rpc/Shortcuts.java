// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.client.spi.IoContext;
import io.crail.client.spi.LocalTransport;
import io.crail.client.spi.RpcChannel;
import io.crail.protocol.local.LocalEndpoint;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways to namenodes on this host over Unix sockets, as one link knows them. A namenode tells of
 * its socket over the network; a way that was found is taken at once from then on, until it fails.
 * What failed is not tried again before the network, too, has failed, or the namenode tells of
 * another one. Thread-safe.
 */
final class Shortcuts {
    private static final Logger LOG = LoggerFactory.getLogger(Shortcuts.class);

    /** A directory that does not answer for so long, on a file system that hangs, is none. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final IoContext io;
    private final Optional<LocalTransport> transport;
    private final Map<String, LocalEndpoint> known = new ConcurrentHashMap<>();
    private final Map<String, LocalEndpoint> failed = new ConcurrentHashMap<>();

    /**
     * @param transport what takes the ways; empty: none is taken
     */
    Shortcuts(IoContext io, Optional<LocalTransport> transport) {
        this.io = io;
        this.transport = transport;
    }

    /** Begins to connect by the way to that namenode; null if none is known. */
    @Nullable RpcChannel open(String namenode, RpcChannel.Listener listener) {
        LocalEndpoint endpoint = known.get(namenode);
        return endpoint == null || transport.isEmpty()
                ? null
                : transport.get().open(endpoint, io, listener);
    }

    /**
     * Looks whether what a namenode tells of can be found here. Calls one of the two, once: at once
     * if there is nothing to look for, else on the polling thread within a bounded time.
     */
    void explore(String namenode, LocalEndpoint told, Runnable found, Runnable notFound) {
        if (transport.isEmpty() || !told.isPresent() || told.equals(failed.get(namenode))) {
            notFound.run();
            return;
        }
        AtomicBoolean done = new AtomicBoolean();
        long patience = Math.min(PATIENCE_NANOS, io.connectTimeoutNanos() / 2);
        boolean taken = io.executeBlocking(() -> look(namenode, told, done, found, notFound));
        io.schedule(
                taken ? patience : 0, () -> missed(namenode, told, "no answer", done, notFound));
    }

    private void look(
            String namenode,
            LocalEndpoint told,
            AtomicBoolean done,
            Runnable found,
            Runnable notFound) {
        try {
            told.find();
            io.execute(
                    () -> {
                        if (done.compareAndSet(false, true)) {
                            known.put(namenode, told);
                            found.run();
                        }
                    });
        } catch (IOException | SecurityException e) {
            io.execute(() -> missed(namenode, told, e.toString(), done, notFound));
        }
    }

    private void missed(
            String namenode, LocalEndpoint told, String why, AtomicBoolean done, Runnable then) {
        if (done.compareAndSet(false, true)) {
            LOG.debug("Namenode {} is not reached through {}: {}", namenode, told, why);
            failed.put(namenode, told);
            then.run();
        }
    }

    /** The way did not lead to the namenode: over the network, then. */
    void failed(String namenode) {
        LocalEndpoint endpoint = known.remove(namenode);
        if (endpoint != null) {
            failed.put(namenode, endpoint);
        }
    }

    /** The network failed, too: what failed before may be better now. */
    void reconsider(String namenode) {
        failed.remove(namenode);
    }
}
