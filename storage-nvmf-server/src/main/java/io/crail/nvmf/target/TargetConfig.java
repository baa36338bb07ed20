// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import io.crail.nvmf.wire.QualifiedName;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything a target is told. Immutable; made by {@link #builder}, which has the defaults.
 *
 * @param nqn name of the subsystem
 * @param namespaces what is served, ids in this order from 1
 * @param bind address to listen on, port 0 for any free one
 * @param advertised address that discovery tells; null = the one that the host reached
 * @param anyHost whether hosts connect without being admitted
 * @param allowedHosts names of hosts that are admitted from the start
 * @param oneAssociationPerHost whether a new association of a host (name and identifier) ends the
 *     one it had. Off only for hosts with several paths: then a command that a lost connection left
 *     behind may overtake those of the new one.
 * @param maxConnections connections at a time, admin queues included
 * @param maxControllers associations at a time
 * @param maxIoQueues I/O queues of an association
 * @param queueEntries commands under way on a queue
 * @param maxTransferBytes most data of a command, a power of two from 4096 to 4 MiB
 * @param inCapsuleBytes data up to which a write needs no round trip of its own, a multiple of 16;
 *     twice this, as a power of two, is kept for each connection
 * @param dataMemoryBytes direct memory for data of commands under way, of all hosts together
 * @param sharedMemory where memory is shared with hosts of this machine; null for nowhere
 * @param headerDigests whether header digests are used when a host asks for them
 * @param dataDigests whether data digests are used when a host asks for them
 * @param eventLoops threads that serve connections
 * @param workers threads that wait for media: commands at a medium at a time
 * @param handshakeTimeout from accept until the queue is connected
 * @param stallTimeout how long a peer may owe bytes, or not take any
 * @param connectWait how long Connect waits for commands that its host left at a medium
 * @param revokeTimeout how long revoking a host waits for its commands
 * @param discoveryIdle how long an association for discovery may be silent
 * @param inlineCommands whether a command that is alone, and not the ring's, is carried out without
 *     a change of thread
 * @param ring whether reads go by io_uring where that is possible, else all by workers
 */
public record TargetConfig(
        String nqn,
        List<NamespaceConfig> namespaces,
        InetSocketAddress bind,
        @Nullable InetSocketAddress advertised,
        boolean anyHost,
        Set<String> allowedHosts,
        boolean oneAssociationPerHost,
        int maxConnections,
        int maxControllers,
        int maxIoQueues,
        int queueEntries,
        int maxTransferBytes,
        int inCapsuleBytes,
        long dataMemoryBytes,
        @Nullable SharedMemoryConfig sharedMemory,
        boolean headerDigests,
        boolean dataDigests,
        int eventLoops,
        int workers,
        Duration handshakeTimeout,
        Duration stallTimeout,
        Duration connectWait,
        Duration revokeTimeout,
        Duration discoveryIdle,
        boolean inlineCommands,
        boolean ring) {
    private static final int MAX_NAMESPACES = 1024;
    private static final Duration LONGEST = Duration.ofHours(1);

    public TargetConfig {
        QualifiedName.check(nqn);
        namespaces = List.copyOf(namespaces);
        allowedHosts = Set.copyOf(allowedHosts);
        allowedHosts.forEach(QualifiedName::check);
        between("the number of namespaces", namespaces.size(), 1, MAX_NAMESPACES);
        between("maxConnections", maxConnections, 2, 65_536);
        between("maxControllers", maxControllers, 1, 65_519);
        between("maxIoQueues", maxIoQueues, 1, 1024);
        between("queueEntries", queueEntries, 32, 1024);
        between("maxTransferBytes", maxTransferBytes, 4096, 4 << 20);
        if (Integer.bitCount(maxTransferBytes) != 1) {
            throw new IllegalArgumentException(
                    "maxTransferBytes must be a power of two, not " + maxTransferBytes);
        }
        between("inCapsuleBytes", inCapsuleBytes, 0, 256 << 10);
        if (inCapsuleBytes % 16 != 0) {
            throw new IllegalArgumentException(
                    "inCapsuleBytes must be a multiple of 16, not " + inCapsuleBytes);
        }
        between("dataMemoryBytes", dataMemoryBytes, 4L * maxTransferBytes, 1L << 40);
        between("eventLoops", eventLoops, 1, 64);
        between("workers", workers, 1, 1024);
        positive("handshakeTimeout", handshakeTimeout);
        positive("stallTimeout", stallTimeout);
        positive("connectWait", connectWait);
        positive("revokeTimeout", revokeTimeout);
        positive("discoveryIdle", discoveryIdle);
    }

    private static void between(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    what + " must be " + least + ".." + most + ", not " + value);
        }
    }

    private static void positive(String what, Duration value) {
        if (value.isZero() || value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " must be above zero and at most an hour, not " + value);
        }
    }

    /** A configuration with defaults: see {@link TargetConfigBuilder}. */
    public static TargetConfigBuilder builder(String nqn, NamespaceConfig... namespaces) {
        return new TargetConfigBuilder(nqn, List.of(namespaces));
    }
}
