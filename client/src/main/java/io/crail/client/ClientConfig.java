// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.SocketFactory;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What a client is told once, when it connects. Immutable and thread-safe; several clients with
 * different configurations live in one JVM.
 *
 * <p>Build one with {@link #builder()}; impossible values are refused by the builder, which names
 * the property.
 */
public final class ClientConfig {
    private final Builder values;

    private ClientConfig(Builder values) {
        this.values = values;
    }

    /** A builder that holds the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A builder that holds what a configuration says of clients, the namenodes apart: a caller may
     * know better where they are.
     *
     * @throws IllegalArgumentException if the keys of the authentication contradict each other
     */
    public static Builder builder(Configuration values) {
        Builder builder =
                builder()
                        .deadline(values.get(ClientKeys.DEADLINE))
                        .connectTimeout(values.get(ClientKeys.CONNECT_TIMEOUT))
                        .sessionTimeout(values.get(ClientKeys.SESSION_TIMEOUT))
                        .rpcTransport(values.get(ClientKeys.TRANSPORT))
                        .locationClass(values.get(ClientKeys.LOCATION))
                        .bufferPoolBytes(values.get(ClientKeys.BUFFER_POOL).bytes())
                        .readAheadBlocks(values.get(ClientKeys.READ_AHEAD))
                        .writeDepth(values.get(ClientKeys.WRITE_DEPTH))
                        .connectionsPerServer(values.get(ClientKeys.CONNECTIONS))
                        .checksums(values.get(ClientKeys.CHECKSUMS))
                        .authentication(AuthenticationConfig.of(values))
                        .sharedMemory(values.get(ClientKeys.SHARED_MEMORY))
                        .unixSocket(values.get(ClientKeys.UNIX_SOCKET))
                        .busyPoll(values.get(ClientKeys.BUSY_POLL))
                        .viewBlocks(values.get(ClientKeys.VIEW_BLOCKS))
                        .poisonViews(values.get(ClientKeys.POISON_VIEWS))
                        .transportOption(
                                "nvmf.queue_entries",
                                values.get(ClientKeys.NVMF_QUEUE_ENTRIES).toString())
                        .transportOption("nvmf.digests", values.get(ClientKeys.NVMF_DIGESTS));
        String user = values.get(ClientKeys.USER);
        String group = values.get(ClientKeys.GROUP);
        if (!user.isEmpty()) {
            builder.user(user).group(user);
        }
        return group.isEmpty() ? builder : builder.group(group);
    }

    /** A configuration with defaults for the given namenode endpoints ({@code host:port}). */
    public static ClientConfig of(String... namenodes) {
        return builder().namenodes(List.of(namenodes)).build();
    }

    /** Namenode endpoints, {@code host:port} each, tried in turn. */
    public List<String> namenodes() {
        return values.namenodes;
    }

    /** Transport of the remote procedure calls: the name of a provider, {@code tcp}. */
    public String rpcTransport() {
        return values.rpcTransport;
    }

    /** Name of the client on status pages and in logs. */
    public String clientName() {
        return values.clientName;
    }

    /** Acting user. */
    public String user() {
        return values.user;
    }

    /** Group of the acting user. */
    public String group() {
        return values.group;
    }

    /** Where the client is ("" = unknown); storage is preferred there. */
    public String locationClass() {
        return values.locationClass;
    }

    /** Deadline of an operation whose caller states none. */
    public Duration deadline() {
        return values.deadline;
    }

    /** Bytes of direct memory that the buffer pool may hold. */
    public long bufferPoolBytes() {
        return values.bufferPoolBytes;
    }

    /** Blocks that a sequential reader fetches ahead, 0 = none. */
    public int readAheadBlocks() {
        return values.readAheadBlocks;
    }

    /** Blocks that a writer has under way at a time. */
    public int writeDepth() {
        return values.writeDepth;
    }

    /** Whether new nodes keep checksums. */
    public boolean checksums() {
        return values.checksums;
    }

    /** Wanted session timeout; zero = the namenode's default. */
    public Duration sessionTimeout() {
        return values.sessionTimeout;
    }

    /** Connections to each storage server. */
    public int connectionsPerServer() {
        return values.connectionsPerServer;
    }

    /** Longest time that opening one connection may take. */
    public Duration connectTimeout() {
        return values.connectTimeout;
    }

    /** Whether servers have to prove that they belong to the cluster, and the client to them. */
    public AuthenticationConfig authentication() {
        return values.authentication;
    }

    /**
     * Whether blocks of storage servers on this host are read and written in shared memory, where
     * that is possible.
     */
    public boolean sharedMemory() {
        return values.sharedMemory;
    }

    /** Whether calls to a namenode on this host go over its Unix socket, where that is possible. */
    public boolean unixSocket() {
        return values.unixSocket;
    }

    /**
     * Whether a thread that waits for an answer looks for it for some microseconds before it
     * sleeps, as long as that pays.
     */
    public boolean busyPoll() {
        return values.busyPoll;
    }

    /** Blocks that open views may hold at a time. */
    public int viewBlocks() {
        return values.viewBlocks;
    }

    /** For tests: whether views are copies that are overwritten when they are closed. */
    public boolean poisonViews() {
        return values.poisonViews;
    }

    /** Settings that only one transport knows, by key. */
    public Map<String, String> transportOptions() {
        return values.transportOptions;
    }

    Surroundings surroundings() {
        return values.surroundings;
    }

    /** Collects the values. Not thread-safe. */
    public static final class Builder {
        private static final long MAX_POOL = 64L << 20;

        private List<String> namenodes = List.of();
        private String rpcTransport = "tcp";
        private String clientName = "java-" + ProcessHandle.current().pid();
        private String user = System.getProperty("user.name", "unknown");
        private String group = System.getProperty("user.name", "unknown");
        private String locationClass = "";
        private Duration deadline = Duration.ofSeconds(30);
        private long bufferPoolBytes = defaultPoolBytes();
        private int readAheadBlocks = 8;
        private int writeDepth = 16;
        private boolean checksums = true;
        private Duration sessionTimeout = Duration.ZERO;
        private int connectionsPerServer = 1;
        private Duration connectTimeout = Duration.ofSeconds(5);
        private AuthenticationConfig authentication = AuthenticationConfig.DEFAULT;
        private boolean sharedMemory = true;
        private boolean unixSocket = true;
        private boolean busyPoll = true;
        private int viewBlocks = 256;
        private boolean poisonViews;
        private Map<String, String> transportOptions = Map.of();
        private Surroundings surroundings = Surroundings.SYSTEM;

        private Builder() {}

        private Builder(Builder other) {
            namenodes = other.namenodes;
            rpcTransport = other.rpcTransport;
            clientName = other.clientName;
            user = other.user;
            group = other.group;
            locationClass = other.locationClass;
            deadline = other.deadline;
            bufferPoolBytes = other.bufferPoolBytes;
            readAheadBlocks = other.readAheadBlocks;
            writeDepth = other.writeDepth;
            checksums = other.checksums;
            sessionTimeout = other.sessionTimeout;
            connectionsPerServer = other.connectionsPerServer;
            connectTimeout = other.connectTimeout;
            authentication = other.authentication;
            sharedMemory = other.sharedMemory;
            unixSocket = other.unixSocket;
            busyPoll = other.busyPoll;
            viewBlocks = other.viewBlocks;
            poisonViews = other.poisonViews;
            transportOptions = other.transportOptions;
            surroundings = other.surroundings;
        }

        /** The limit on direct memory is the heap's limit unless a JVM flag sets it. */
        private static long defaultPoolBytes() {
            return Math.max(2L << 20, Math.min(MAX_POOL, Runtime.getRuntime().maxMemory() / 16));
        }

        public Builder namenodes(List<String> endpoints) {
            this.namenodes = List.copyOf(endpoints);
            return this;
        }

        public Builder rpcTransport(String name) {
            this.rpcTransport = name;
            return this;
        }

        public Builder clientName(String name) {
            this.clientName = name;
            return this;
        }

        public Builder user(String user) {
            this.user = user;
            return this;
        }

        public Builder group(String group) {
            this.group = group;
            return this;
        }

        public Builder locationClass(String location) {
            this.locationClass = location;
            return this;
        }

        public Builder deadline(Duration deadline) {
            this.deadline = deadline;
            return this;
        }

        public Builder bufferPoolBytes(long bytes) {
            this.bufferPoolBytes = bytes;
            return this;
        }

        public Builder readAheadBlocks(int blocks) {
            this.readAheadBlocks = blocks;
            return this;
        }

        public Builder writeDepth(int blocks) {
            this.writeDepth = blocks;
            return this;
        }

        public Builder checksums(boolean on) {
            this.checksums = on;
            return this;
        }

        public Builder sessionTimeout(Duration timeout) {
            this.sessionTimeout = timeout;
            return this;
        }

        public Builder connectionsPerServer(int connections) {
            this.connectionsPerServer = connections;
            return this;
        }

        public Builder connectTimeout(Duration timeout) {
            this.connectTimeout = timeout;
            return this;
        }

        /**
         * How the client proves to servers that it may enter, and they to it. The secret file is
         * read once, when the client connects. By default there is none.
         */
        public Builder authentication(AuthenticationConfig config) {
            this.authentication = config;
            return this;
        }

        /**
         * Whether data of storage servers on this host goes through memory, where that is possible:
         * their segments, and what a flash tier shares for the data of commands. It does; false
         * uses the network for all.
         */
        public Builder sharedMemory(boolean on) {
            this.sharedMemory = on;
            return transportOption("nvmf.shared_memory", Boolean.toString(on));
        }

        public Builder unixSocket(boolean on) {
            this.unixSocket = on;
            return this;
        }

        public Builder busyPoll(boolean on) {
            this.busyPoll = on;
            return this;
        }

        public Builder viewBlocks(int blocks) {
            this.viewBlocks = blocks;
            return this;
        }

        public Builder poisonViews(boolean on) {
            this.poisonViews = on;
            return this;
        }

        /**
         * A setting that only one transport knows: {@code nvmf.queue_entries}, commands under way
         * on an I/O queue, and one more; {@code nvmf.digests}, {@code off}, {@code header}, {@code
         * data} or {@code both}; {@code nvmf.shared_memory}, {@code true} or {@code false}, as
         * {@link #sharedMemory}. The transport refuses what it cannot use when it connects.
         */
        public Builder transportOption(String key, String value) {
            Map<String, String> all = new HashMap<>(transportOptions);
            all.put(key, value);
            this.transportOptions = Map.copyOf(all);
            return this;
        }

        /** For tests that control the machine. */
        Builder surroundings(Surroundings machine) {
            this.surroundings = machine;
            return this;
        }

        /** For tests that control time. */
        Builder clock(LongSupplier nanoTime) {
            return surroundings(surroundings.withClock(nanoTime));
        }

        /** For tests that control the network. */
        Builder sockets(SocketFactory factory) {
            return surroundings(surroundings.withSockets(factory));
        }

        /**
         * The configuration.
         *
         * @throws IllegalArgumentException naming the first impossible value
         */
        public ClientConfig build() {
            check(!namenodes.isEmpty(), "namenodes: at least one host:port is needed");
            for (String endpoint : namenodes) {
                check(isEndpoint(endpoint), "namenodes: '" + endpoint + "' is not host:port");
            }
            positive("deadline", deadline);
            positive("connectTimeout", connectTimeout);
            check(!sessionTimeout.isNegative(), "sessionTimeout: " + sessionTimeout);
            check(
                    bufferPoolBytes >= 2L << 20,
                    "bufferPoolBytes: " + bufferPoolBytes + ", at least 2 MiB are needed");
            range("readAheadBlocks", readAheadBlocks, 0, 64);
            range("writeDepth", writeDepth, 1, 64);
            range("viewBlocks", viewBlocks, 1, 768);
            range("connectionsPerServer", connectionsPerServer, 1, 64);
            return new ClientConfig(new Builder(this));
        }

        private static boolean isEndpoint(String endpoint) {
            int colon = endpoint.lastIndexOf(':');
            if (colon < 1) {
                return false;
            }
            try {
                int port = Integer.parseInt(endpoint.substring(colon + 1));
                return port > 0 && port <= 0xFFFF;
            } catch (NumberFormatException e) {
                return false;
            }
        }

        private static void positive(String name, Duration value) {
            check(!value.isNegative() && !value.isZero(), name + ": " + value + " is not positive");
        }

        private static void range(String name, int value, int min, int max) {
            check(
                    value >= min && value <= max,
                    name + ": " + value + " is outside " + min + ".." + max);
        }

        private static void check(boolean condition, String message) {
            if (!condition) {
                throw new IllegalArgumentException(message);
            }
        }
    }
}
