// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.queue.QueueSettings;

/**
 * What an initiator asks for of queues, and how much it puts into them; checked.
 *
 * @param queues I/O queues to ask for, each a connection
 * @param depth entries of an I/O queue to ask for, 2 to 1,024
 * @param waiting commands per queue that may wait for a place
 * @param maxTransferBytes most data of one command, where the target allows more
 * @param headerDigest whether to ask for digests of headers
 * @param dataDigest whether to ask for digests of data
 * @param sharedMemory whether data goes through memory of a target on this machine if it has any;
 *     not with digests of data, which are about what goes through a socket
 * @param retries repetitions of a command that failed in passing
 */
record QueueOptions(
        int queues,
        int depth,
        int waiting,
        int maxTransferBytes,
        boolean headerDigest,
        boolean dataDigest,
        boolean sharedMemory,
        int retries) {
    static final QueueOptions DEFAULT =
            new QueueOptions(2, 128, 4096, 1 << 20, false, false, true, 3);

    private static final int MAX_QUEUES = 256;
    private static final int MIN_TRANSFER = 4096;

    QueueOptions {
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
    }

    private static void check(boolean holds, String name, int value, String possible) {
        if (!holds) {
            throw new IllegalArgumentException(name + " is " + value + "; possible: " + possible);
        }
    }

    QueueOptions withQueues(int count, int entries, int waitingLimit) {
        return new QueueOptions(
                count,
                entries,
                waitingLimit,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                sharedMemory,
                retries);
    }

    QueueOptions withMaxTransferBytes(int value) {
        return new QueueOptions(
                queues, depth, waiting, value, headerDigest, dataDigest, sharedMemory, retries);
    }

    QueueOptions withDigests(boolean headers, boolean data) {
        return new QueueOptions(
                queues, depth, waiting, maxTransferBytes, headers, data, sharedMemory, retries);
    }

    QueueOptions withSharedMemory(boolean value) {
        return new QueueOptions(
                queues, depth, waiting, maxTransferBytes, headerDigest, dataDigest, value, retries);
    }

    QueueOptions withRetries(int value) {
        return new QueueOptions(
                queues,
                depth,
                waiting,
                maxTransferBytes,
                headerDigest,
                dataDigest,
                sharedMemory,
                value);
    }
}
