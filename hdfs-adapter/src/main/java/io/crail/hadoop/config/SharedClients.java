// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.config;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

/**
 * The clients of this JVM, one for equal settings, counted. Thread-safe: whoever asks for a client
 * that is just being connected waits for that one; other clients are not held up.
 */
public final class SharedClients {
    /** Those of all file systems. */
    public static final SharedClients OF_THIS_JVM = new SharedClients(CrailClient::connect);

    /** After the file systems of Hadoop's cache. */
    private static final int AFTER_FILE_SYSTEMS = FileSystem.SHUTDOWN_HOOK_PRIORITY - 1;

    /** Connects. */
    @FunctionalInterface
    interface Connector {
        CrailClient connect(ClientConfig config) throws CrailException;
    }

    /** A client, and how many use it; its fields belong to its monitor. */
    private static final class Shared {
        private int users;
        private boolean dead;
        private @Nullable CrailClient connection;

        /** The connection with the deadline of calls. */
        private @Nullable CrailClient client;
    }

    private final Connector connector;
    private final Map<ClientSettings, Shared> clients = new HashMap<>();
    private boolean hooked;

    SharedClients(Connector connector) {
        this.connector = connector;
    }

    /**
     * A lease on the client for these settings, which is connected if there is none.
     *
     * @param patience longest time to look for the namenode, if it is not the deadline of calls
     * @throws CrailException if it cannot be connected; the next call tries again
     */
    public ClientLease acquire(ClientSettings settings, Optional<Duration> patience)
            throws CrailException {
        while (true) {
            Shared shared = find(settings);
            synchronized (shared) {
                if (shared.dead) {
                    continue; // the last user has just left
                }
                if (shared.client == null) {
                    connect(settings, patience, shared);
                }
                shared.users++;
                return new ClientLease(
                        Objects.requireNonNull(shared.client), () -> release(settings, shared));
            }
        }
    }

    private void connect(ClientSettings settings, Optional<Duration> patience, Shared shared)
            throws CrailException {
        boolean connected = false;
        try {
            ClientConfig config = settings.toConfig();
            if (patience.isPresent()) {
                ClientConfig hasty = settings.toConfig(patience);
                CrailClient connection = connector.connect(hasty);
                shared.connection = connection;
                shared.client = connection.withDeadline(config.deadline());
            } else {
                CrailClient connection = connector.connect(config);
                shared.connection = connection;
                shared.client = connection;
            }
            connected = true;
        } finally {
            if (!connected) {
                forget(settings, shared);
            }
        }
    }

    private synchronized Shared find(ClientSettings settings) {
        if (!hooked) {
            hooked = true;
            closeAtTheEnd();
        }
        return clients.computeIfAbsent(settings, any -> new Shared());
    }

    /** With the monitor of what is shared held. */
    private void forget(ClientSettings settings, Shared shared) {
        shared.dead = true;
        synchronized (this) {
            clients.remove(settings, shared);
        }
    }

    private void release(ClientSettings settings, Shared shared) {
        @Nullable CrailClient last = null;
        synchronized (shared) {
            shared.users--;
            if (shared.users == 0 && !shared.dead) {
                last = shared.connection;
                forget(settings, shared);
            }
        }
        if (last != null) {
            last.close();
        }
    }

    /** So that the namenode need not wait for the timeouts of sessions that nobody closed. */
    private void closeAtTheEnd() {
        ShutdownHookManager hooks = ShutdownHookManager.get();
        if (!hooks.isShutdownInProgress()) {
            hooks.addShutdownHook(this::closeAll, AFTER_FILE_SYSTEMS);
        }
    }

    private void closeAll() {
        List<Shared> left;
        synchronized (this) {
            left = List.copyOf(clients.values());
            clients.clear();
        }
        for (Shared shared : left) {
            @Nullable CrailClient client;
            synchronized (shared) {
                client = shared.dead ? null : shared.connection;
                shared.dead = true;
            }
            if (client != null) {
                client.close();
            }
        }
    }

    /** Clients that are connected. */
    synchronized int size() {
        return clients.size();
    }
}
