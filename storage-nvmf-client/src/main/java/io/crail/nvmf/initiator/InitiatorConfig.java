// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.SocketFactory;
import io.crail.nvmf.wire.QualifiedName;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * How an initiator behaves; immutable, checked once. {@link #of} has the defaults: 2 I/O queues of
 * 128 entries, 4,096 commands that wait, 1 MiB of data in a command, no digests, 3 retries; the
 * times are told by the methods that change them.
 */
public final class InitiatorConfig {
    /** Commands on the admin queue at a time, and one more. */
    static final int ADMIN_ENTRIES = 32;

    private final String hostName;
    private final UUID hostId;
    private final QueueOptions queueOptions;
    private final InitiatorTimes times;
    private final InitiatorSurroundings surroundings;

    private InitiatorConfig(
            String hostName,
            UUID hostId,
            QueueOptions queueOptions,
            InitiatorTimes times,
            InitiatorSurroundings surroundings) {
        QualifiedName.check(hostName);
        this.hostName = hostName;
        this.hostId = hostId;
        this.queueOptions = queueOptions;
        this.times = times;
        this.surroundings = surroundings;
    }

    /** A host with that identifier, named after it, and defaults. */
    public static InitiatorConfig of(UUID hostId) {
        return new InitiatorConfig(
                QualifiedName.ofUuid(hostId),
                hostId,
                QueueOptions.DEFAULT,
                InitiatorTimes.DEFAULT,
                InitiatorSurroundings.REAL);
    }

    private InitiatorConfig with(QueueOptions value) {
        return new InitiatorConfig(hostName, hostId, value, times, surroundings);
    }

    private InitiatorConfig with(InitiatorTimes value) {
        return new InitiatorConfig(hostName, hostId, queueOptions, value, surroundings);
    }

    private InitiatorConfig in(UnaryOperator<InitiatorSurroundings> change) {
        return new InitiatorConfig(
                hostName, hostId, queueOptions, times, change.apply(surroundings));
    }

    /** The same with another name of the host, an NQN; targets admit hosts by it. */
    public InitiatorConfig withHostName(String value) {
        return new InitiatorConfig(value, hostId, queueOptions, times, surroundings);
    }

    /**
     * The same with other queues.
     *
     * @param count I/O queues to ask for, each a connection, up to 256
     * @param entries of an I/O queue to ask for, 2 to 1,024
     * @param waitingLimit commands per queue that may wait for a place
     */
    public InitiatorConfig withQueues(int count, int entries, int waitingLimit) {
        return with(queueOptions.withQueues(count, entries, waitingLimit));
    }

    /** The same with another limit of the data of a command, where the target allows more. */
    public InitiatorConfig withMaxTransferBytes(int value) {
        return with(queueOptions.withMaxTransferBytes(value));
    }

    /** The same, asking for other digests. */
    public InitiatorConfig withDigests(boolean headers, boolean data) {
        return with(queueOptions.withDigests(headers, data));
    }

    /**
     * The same with another choice whether large data of Reads and Writes goes through memory that
     * a target on this machine shares, instead of the socket, and the rest through a Unix socket
     * instead of TCP. It does, where the target offers that, the first if data digests are not
     * asked for, the second if no digests are.
     */
    public InitiatorConfig withSharedMemory(boolean value) {
        return with(queueOptions.withSharedMemory(value));
    }

    /** The same with another number of repetitions of a command that failed in passing. */
    public InitiatorConfig withRetries(int value) {
        return with(queueOptions.withRetries(value));
    }

    /**
     * The same with another keep-alive timeout, after which the target may give this host up; 15 s,
     * 0 for none.
     */
    public InitiatorConfig withKeepAlive(Duration value) {
        return with(times.withKeepAlive(value));
    }

    /**
     * The same with other times for commands.
     *
     * @param command until a command is aborted; 30 s
     * @param abort until the controller is reset because aborting did not help; 10 s
     * @param operation for a call as a whole, its retries and reconnecting; 90 s
     */
    public InitiatorConfig withCommandTimeouts(
            Duration command, Duration abort, Duration operation) {
        return with(times.withCommands(command, abort, operation));
    }

    /**
     * The same with other times for connections.
     *
     * @param connect for each step of the set-up; 10 s
     * @param reconnect until a lost controller is given up; 60 s, 0 to give it up at once: for who
     *     knows better where it is
     * @param delay before the second attempt, doubled up to 5 s; 100 ms
     */
    public InitiatorConfig withConnectTimeouts(
            Duration connect, Duration reconnect, Duration delay) {
        return with(times.withConnections(connect, reconnect, delay));
    }

    /**
     * The same with another time for a controller that is closed to say that it is shut down; 1 s,
     * 0 to close without asking.
     */
    public InitiatorConfig withShutdownTimeout(Duration value) {
        return with(times.withShutdown(value));
    }

    /** The same with another clock, as {@link System#nanoTime}. */
    public InitiatorConfig withClock(LongSupplier value) {
        return in(before -> before.withClock(value));
    }

    /**
     * The same on another network; the provider makes the selector, and has to know the sockets.
     */
    public InitiatorConfig withNetwork(SocketFactory factory, SelectorProvider provider) {
        return in(before -> before.withNetwork(factory, provider));
    }

    /**
     * The same with a listener that is told of each PDU that arrived with a wrong digest, by the
     * thread that polls; it must not block.
     */
    public InitiatorConfig withDamageListener(Runnable listener) {
        return in(before -> before.withDamageListener(listener));
    }

    public String hostName() {
        return hostName;
    }

    /** Of this host; reservations belong to it. */
    public UUID hostId() {
        return hostId;
    }

    public int queues() {
        return queueOptions.queues();
    }

    public int depth() {
        return queueOptions.depth();
    }

    public int waiting() {
        return queueOptions.waiting();
    }

    public int maxTransferBytes() {
        return queueOptions.maxTransferBytes();
    }

    public boolean headerDigest() {
        return queueOptions.headerDigest();
    }

    public boolean dataDigest() {
        return queueOptions.dataDigest();
    }

    /** Whether to share memory with targets on this machine. */
    public boolean sharedMemory() {
        return queueOptions.sharedMemory() && !queueOptions.dataDigest();
    }

    public int retries() {
        return queueOptions.retries();
    }

    public Duration keepAlive() {
        return times.keepAlive();
    }

    public Duration connectTimeout() {
        return times.connect();
    }

    public Duration commandTimeout() {
        return times.command();
    }

    public Duration abortTimeout() {
        return times.abort();
    }

    public Duration operationTimeout() {
        return times.operation();
    }

    public Duration reconnectTimeout() {
        return times.reconnect();
    }

    public Duration reconnectDelay() {
        return times.reconnectDelay();
    }

    public Duration shutdownTimeout() {
        return times.shutdown();
    }

    LongSupplier clock() {
        return surroundings.clock();
    }

    SocketFactory sockets() {
        return surroundings.sockets();
    }

    SelectorProvider network() {
        return surroundings.network();
    }

    Runnable onDamage() {
        return surroundings.onDamage();
    }
}
