// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Label;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.protocol.config.ByteSize;

/**
 * One row of keys and values.
 *
 * @param operation what is done
 * @param way of the client
 * @param size bytes of a value
 * @param threads that share the client
 * @param values of an operation: 1 unless it is one of several
 * @param cores where the processes run
 */
record KvSpec(
        KvOperation operation, Servers.Way way, int size, int threads, int values, Setting cores) {
    private static final int LEAST_KEYS = 64;
    private static final int MOST_KEYS = 1_000;
    private static final int BYTES = 8 << 20;

    /** Bytes of a request, or of an answer, besides keys and values. */
    private static final int FRAME = 64;

    /** Keys of the table. */
    int keys() {
        return Math.max(values, Math.min(MOST_KEYS, Math.max(LEAST_KEYS, BYTES / size)));
    }

    /** Bytes that a message with the values takes, as small values do without blocks. */
    int message() {
        return FRAME + values * size;
    }

    String setting() {
        return Ways.namenode(way)
                + ", "
                + new ByteSize(size)
                + (values > 1 ? " x " + values : "")
                + ", "
                + threads
                + (threads > 1 ? " threads, " : " thread, ")
                + cores.text();
    }

    Label label(boolean inBlocks) {
        String limit;
        if (inBlocks) {
            String bytes =
                    way == Servers.Way.LOCAL
                            ? "copy + CRC32C"
                            : operation.reads()
                                    ? "answer of data + CRC32C"
                                    : "message of data + CRC32C";
            limit = "ping-pong + " + bytes;
        } else {
            limit = operation.reads() ? "64 B, answered by values" : "message of values, answered";
        }
        String how = cores.spins(threads) ? "spinning " : "blocking ";
        return new Label(
                Wish.name(operation),
                setting(),
                Label.PER_SECOND,
                Ways.over(way, how + limit),
                null);
    }
}
