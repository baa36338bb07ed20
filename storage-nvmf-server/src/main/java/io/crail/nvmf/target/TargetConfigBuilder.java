// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link TargetConfig}. The defaults listen on the loopback address, admit nobody, and take
 * 64 MiB of memory for data; each method says its own. Not thread-safe.
 */
public final class TargetConfigBuilder {
    private final String nqn;
    private final List<NamespaceConfig> namespaces;
    private InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private @Nullable InetSocketAddress advertised;
    private boolean anyHost;
    private Set<String> allowedHosts = Set.of();
    private boolean oneAssociationPerHost = true;
    private int maxConnections = 256;
    private int maxControllers = 128;
    private int maxIoQueues = 16;
    private int queueEntries = 128;
    private int maxTransferBytes = 1 << 20;
    private int inCapsuleBytes = 16 << 10;
    private long dataMemoryBytes = 64L << 20;
    private @Nullable SharedMemoryConfig sharedMemory;
    private boolean headerDigests = true;
    private boolean dataDigests = true;
    private int eventLoops =
            Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 2));
    private int workers = 32;
    private Duration handshakeTimeout = Duration.ofSeconds(10);
    private Duration stallTimeout = Duration.ofSeconds(30);
    private Duration connectWait = Duration.ofSeconds(5);
    private Duration revokeTimeout = Duration.ofSeconds(10);
    private Duration discoveryIdle = Duration.ofMinutes(2);
    private boolean inlineCommands = true;
    private boolean ring = true;

    TargetConfigBuilder(String nqn, List<NamespaceConfig> namespaces) {
        this.nqn = nqn;
        this.namespaces = namespaces;
    }

    /** Where to listen; any free port of the loopback address. */
    public TargetConfigBuilder bind(InetSocketAddress value) {
        bind = value;
        return this;
    }

    /** What discovery tells; the address that the host reached. */
    public TargetConfigBuilder advertised(InetSocketAddress value) {
        advertised = value;
        return this;
    }

    /** Whether hosts connect without being admitted; no. */
    public TargetConfigBuilder anyHost(boolean value) {
        anyHost = value;
        return this;
    }

    /** Hosts that are admitted from the start; none. */
    public TargetConfigBuilder allowedHosts(Collection<String> value) {
        allowedHosts = Set.copyOf(value);
        return this;
    }

    /** Whether a new association of a host ends the one it had; yes. */
    public TargetConfigBuilder oneAssociationPerHost(boolean value) {
        oneAssociationPerHost = value;
        return this;
    }

    /** Connections at a time; 256. */
    public TargetConfigBuilder maxConnections(int value) {
        maxConnections = value;
        return this;
    }

    /** Associations at a time; 128. */
    public TargetConfigBuilder maxControllers(int value) {
        maxControllers = value;
        return this;
    }

    /** I/O queues of an association; 16. */
    public TargetConfigBuilder maxIoQueues(int value) {
        maxIoQueues = value;
        return this;
    }

    /** Commands under way on a queue; 128. */
    public TargetConfigBuilder queueEntries(int value) {
        queueEntries = value;
        return this;
    }

    /** Most data of a command; 1 MiB. */
    public TargetConfigBuilder maxTransferBytes(int value) {
        maxTransferBytes = value;
        return this;
    }

    /** Most data in a capsule; 16 KiB. */
    public TargetConfigBuilder inCapsuleBytes(int value) {
        inCapsuleBytes = value;
        return this;
    }

    /** Memory for data of commands; 64 MiB. */
    public TargetConfigBuilder dataMemoryBytes(long value) {
        dataMemoryBytes = value;
        return this;
    }

    /** Where memory is shared with hosts of this machine; nowhere. */
    public TargetConfigBuilder sharedMemory(SharedMemoryConfig value) {
        sharedMemory = value;
        return this;
    }

    /** Whether header and data digests may be used; both. */
    public TargetConfigBuilder digests(boolean header, boolean data) {
        headerDigests = header;
        dataDigests = data;
        return this;
    }

    /** Threads that serve connections; half of the processors, 1 to 4. */
    public TargetConfigBuilder eventLoops(int value) {
        eventLoops = value;
        return this;
    }

    /** Threads that wait for media; 32. */
    public TargetConfigBuilder workers(int value) {
        workers = value;
        return this;
    }

    /** From accept until the queue is connected; 10 s. */
    public TargetConfigBuilder handshakeTimeout(Duration value) {
        handshakeTimeout = value;
        return this;
    }

    /** How long a peer may owe bytes; 30 s. */
    public TargetConfigBuilder stallTimeout(Duration value) {
        stallTimeout = value;
        return this;
    }

    /** How long Connect waits for what its host left at a medium; 5 s. */
    public TargetConfigBuilder connectWait(Duration value) {
        connectWait = value;
        return this;
    }

    /** How long revoking waits for commands at the medium; 10 s. */
    public TargetConfigBuilder revokeTimeout(Duration value) {
        revokeTimeout = value;
        return this;
    }

    /** How long an association for discovery may be silent; 2 min. */
    public TargetConfigBuilder discoveryIdle(Duration value) {
        discoveryIdle = value;
        return this;
    }

    /** Whether a command that is alone is carried out without a change of thread; yes. */
    public TargetConfigBuilder inlineCommands(boolean value) {
        inlineCommands = value;
        return this;
    }

    /** Whether reads go by io_uring where kernel and file system allow it; yes. */
    public TargetConfigBuilder ring(boolean value) {
        ring = value;
        return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException if a value is out of range, saying which and why
     */
    public TargetConfig build() {
        return new TargetConfig(
                nqn,
                namespaces,
                bind,
                advertised,
                anyHost,
                allowedHosts,
                oneAssociationPerHost,
                maxConnections,
                maxControllers,
                maxIoQueues,
                queueEntries,
                maxTransferBytes,
                inCapsuleBytes,
                dataMemoryBytes,
                sharedMemory,
                headerDigests,
                dataDigests,
                eventLoops,
                workers,
                handshakeTimeout,
                stallTimeout,
                connectWait,
                revokeTimeout,
                discoveryIdle,
                inlineCommands,
                ring);
    }
}
