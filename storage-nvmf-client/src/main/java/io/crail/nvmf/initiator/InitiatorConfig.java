// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.SocketFactory;
import io.crail.nvmf.initiator.queue.QueueSettings;
import io.crail.nvmf.wire.QualifiedName;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * How an initiator behaves; immutable, checked once. {@link #of} has the defaults.
 *
 * @param hostName NQN of this host; targets admit hosts by it
 * @param hostId of this host; reservations belong to it
 * @param queues I/O queues to ask for, each a connection; default 2
 * @param depth entries of an I/O queue to ask for, 2 to 1,024; default 128
 * @param waiting commands per queue that may wait for a place; default 4,096
 * @param maxTransferBytes most data of one command, where the target allows more; default 1 MiB
 * @param headerDigest whether to ask for digests of headers; default no
 * @param dataDigest whether to ask for digests of data; default no
 * @param keepAlive timeout after which the target may give this host up; default 15 s, 0 for none
 * @param connectTimeout for each step of the set-up; default 10 s
 * @param commandTimeout until a command is aborted; default 30 s
 * @param abortTimeout until the controller is reset because aborting did not help; default 10 s
 * @param operationTimeout for a call as a whole, its retries and reconnecting; default 90 s
 * @param reconnectTimeout until a lost controller is given up; default 60 s, 0 to give it up at
 *     once: for who knows better where it is
 * @param reconnectDelay pause before the second attempt, doubled up to 5 s; default 100 ms
 * @param retries repetitions of a command that failed in passing; default 3
 * @param clock as {@link System#nanoTime}
 * @param sockets makes unconnected sockets
 * @param network makes the selector, which has to know the sockets
 */
public record InitiatorConfig(
        String hostName,
        UUID hostId,
        int queues,
        int depth,
        int waiting,
        int maxTransferBytes,
        boolean headerDigest,
        boolean dataDigest,
        Duration keepAlive,
        Duration connectTimeout,
        Duration commandTimeout,
        Duration abortTimeout,
        Duration operationTimeout,
        Duration reconnectTimeout,
        Duration reconnectDelay,
        int retries,
        LongSupplier clock,
        SocketFactory sockets,
        SelectorProvider network) {
    /** Commands on the admin queue at a time, and one more. */
    static final int ADMIN_ENTRIES = 32;

    private static final int MAX_QUEUES = 256;
    private static final int MIN_TRANSFER = 4096;

    public InitiatorConfig {
        QualifiedName.check(hostName);
        check(queues >= 1 && queues <= MAX_QUEUES, "queues", queues, "1 to " + MAX_QUEUES);
        check(
                depth >= 2 && depth <= QueueSettings.MAX_PLACES,
                "depth",
                depth,
                "2 to " + QueueSettings.MAX_PLACES);
        check(waiting >= 1, "waiting", waiting, "at least 1");
        check(
                maxTransferBytes >= MIN_TRANSFER,
                "maxTransferBytes",
                maxTransferBytes,
                "at least " + MIN_TRANSFER);
        check(retries >= 0, "retries", retries, "at least 0");
        check(!keepAlive.isNegative(), "keepAlive", keepAlive, "at least 0");
        positive("connectTimeout", connectTimeout);
        positive("commandTimeout", commandTimeout);
        positive("abortTimeout", abortTimeout);
        positive("operationTimeout", operationTimeout);
        check(!reconnectTimeout.isNegative(), "reconnectTimeout", reconnectTimeout, "at least 0");
        positive("reconnectDelay", reconnectDelay);
    }

    private static void check(boolean holds, String name, Object value, String possible) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is " + value + "; possible: " + possible);
        }
    }

    private static void positive(String name, Duration value) {
        check(!value.isNegative() && !value.isZero(), name, value, "more than 0");
    }

    /** A host with that identifier, named after it, and defaults. */
    public static InitiatorConfig of(UUID hostId) {
        return new InitiatorConfig(
                QualifiedName.ofUuid(hostId),
                hostId,
                2,
                128,
                4096,
                1 << 20,
                false,
                false,
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(90),
                Duration.ofSeconds(60),
                Duration.ofMillis(100),
                3,
                System::nanoTime,
                SocketChannel::open,
                SelectorProvider.provider());
    }

    /** The same with another name of the host. */
    public InitiatorConfig withHostName(String value) {
        return new InitiatorConfig(
                value,
                hostId,
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                keepAlive,
                connectTimeout,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnectTimeout,
                reconnectDelay,
                retries,
                clock,
                sockets,
                network);
    }

    /** The same with other queues. */
    public InitiatorConfig withQueues(int count, int entries, int waitingLimit) {
        return new InitiatorConfig(
                hostName,
                hostId,
                count,
                entries,
                waitingLimit,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                keepAlive,
                connectTimeout,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnectTimeout,
                reconnectDelay,
                retries,
                clock,
                sockets,
                network);
    }

    /** The same with another limit of the data of a command. */
    public InitiatorConfig withMaxTransferBytes(int value) {
        return new InitiatorConfig(
                hostName,
                hostId,
                queues,
                depth,
                waiting,
                value,
                headerDigest,
                dataDigest,
                keepAlive,
                connectTimeout,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnectTimeout,
                reconnectDelay,
                retries,
                clock,
                sockets,
                network);
    }

    /** The same with other digests. */
    public InitiatorConfig withDigests(boolean headers, boolean data) {
        return new InitiatorConfig(
                hostName,
                hostId,
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headers,
                data,
                keepAlive,
                connectTimeout,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnectTimeout,
                reconnectDelay,
                retries,
                clock,
                sockets,
                network);
    }

    /** The same with another keep-alive timeout. */
    public InitiatorConfig withKeepAlive(Duration value) {
        return new InitiatorConfig(
                hostName,
                hostId,
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                value,
                connectTimeout,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnectTimeout,
                reconnectDelay,
                retries,
                clock,
                sockets,
                network);
    }

    /** The same with other times for commands. */
    public InitiatorConfig withCommandTimeouts(
            Duration command, Duration abort, Duration operation) {
        return new InitiatorConfig(
                hostName,
                hostId,
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                keepAlive,
                connectTimeout,
                command,
                abort,
                operation,
                reconnectTimeout,
                reconnectDelay,
                retries,
                clock,
                sockets,
                network);
    }

    /** The same with other times for connections. */
    public InitiatorConfig withConnectTimeouts(
            Duration connect, Duration reconnect, Duration delay) {
        return new InitiatorConfig(
                hostName,
                hostId,
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                keepAlive,
                connect,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnect,
                delay,
                retries,
                clock,
                sockets,
                network);
    }

    /** The same with another number of retries. */
    public InitiatorConfig withRetries(int value) {
        return new InitiatorConfig(
                hostName,
                hostId,
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                keepAlive,
                connectTimeout,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnectTimeout,
                reconnectDelay,
                value,
                clock,
                sockets,
                network);
    }

    /** The same with another clock. */
    public InitiatorConfig withClock(LongSupplier value) {
        return new InitiatorConfig(
                hostName,
                hostId,
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                keepAlive,
                connectTimeout,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnectTimeout,
                reconnectDelay,
                retries,
                value,
                sockets,
                network);
    }

    /** The same on another network. */
    public InitiatorConfig withNetwork(SocketFactory factory, SelectorProvider provider) {
        return new InitiatorConfig(
                hostName,
                hostId,
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                keepAlive,
                connectTimeout,
                commandTimeout,
                abortTimeout,
                operationTimeout,
                reconnectTimeout,
                reconnectDelay,
                retries,
                clock,
                factory,
                provider);
    }
}
