// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import java.time.Duration;

/**
 * How long an initiator waits for what; checked.
 *
 * @param keepAlive timeout after which the target may give this host up; 0 for none
 * @param connect for each step of the set-up
 * @param command until a command is aborted
 * @param abort until the controller is reset because aborting did not help
 * @param operation for a call as a whole, its retries and reconnecting
 * @param reconnect until a lost controller is given up; 0 to give it up at once
 * @param reconnectDelay pause before the second attempt
 * @param shutdown for a controller to say that it is shut down, when it is closed; 0 to ask none
 */
record InitiatorTimes(
        Duration keepAlive,
        Duration connect,
        Duration command,
        Duration abort,
        Duration operation,
        Duration reconnect,
        Duration reconnectDelay,
        Duration shutdown) {
    static final InitiatorTimes DEFAULT =
            new InitiatorTimes(
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(90),
                    Duration.ofSeconds(60),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(1));

    InitiatorTimes {
        notNegative("keepAlive", keepAlive);
        positive("connectTimeout", connect);
        positive("commandTimeout", command);
        positive("abortTimeout", abort);
        positive("operationTimeout", operation);
        notNegative("reconnectTimeout", reconnect);
        positive("reconnectDelay", reconnectDelay);
        notNegative("shutdownTimeout", shutdown);
    }

    private static void notNegative(String name, Duration value) {
        check(!value.isNegative(), name, value, "at least 0");
    }

    private static void positive(String name, Duration value) {
        check(!value.isNegative() && !value.isZero(), name, value, "more than 0");
    }

    private static void check(boolean holds, String name, Duration value, String possible) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is " + value + "; possible: " + possible);
        }
    }

    InitiatorTimes withKeepAlive(Duration value) {
        return new InitiatorTimes(
                value, connect, command, abort, operation, reconnect, reconnectDelay, shutdown);
    }

    InitiatorTimes withCommands(Duration ofCommand, Duration ofAbort, Duration ofOperation) {
        return new InitiatorTimes(
                keepAlive,
                connect,
                ofCommand,
                ofAbort,
                ofOperation,
                reconnect,
                reconnectDelay,
                shutdown);
    }

    InitiatorTimes withConnections(Duration ofConnect, Duration ofReconnect, Duration delay) {
        return new InitiatorTimes(
                keepAlive, ofConnect, command, abort, operation, ofReconnect, delay, shutdown);
    }

    InitiatorTimes withShutdown(Duration value) {
        return new InitiatorTimes(
                keepAlive, connect, command, abort, operation, reconnect, reconnectDelay, value);
    }
}
