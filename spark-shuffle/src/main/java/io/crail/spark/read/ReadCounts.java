// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.jspecify.annotations.Nullable;

/**
 * Tells Spark what was read, and whether from near or far: what came from memory of this host is
 * local, what came over a network is remote. Belongs to the thread of the task.
 *
 * <p>Where bytes came from is known when they are there. Bytes are counted by fetches; a block
 * counts with its first byte, as local or remote by where that was.
 */
final class ReadCounts {
    private final ShuffleReadMetricsReporter metrics;
    private @Nullable BlockStream current;
    private boolean counted = true;

    ReadCounts(ShuffleReadMetricsReporter metrics) {
        this.metrics = metrics;
    }

    /** A fetch has arrived, with the next bytes of the stream that the task stands at. */
    void arrived(Fetch fetch) {
        long near = fetch.bytesOnThisHost();
        metrics.incLocalBytesRead(near);
        metrics.incRemoteBytesRead(fetch.length() - near);
        begin(fetch);
    }

    /** The task goes on to a stream. */
    void goOn(BlockStream stream) {
        BlockStream before = current;
        if (before == null
                || before.source() != stream.source()
                || before.partition() != stream.partition()) {
            counted = false;
        }
        current = stream;
    }

    /** The next byte of a fetch is the first one of the stream. */
    void begin(Fetch fetch) {
        if (counted) {
            return;
        }
        counted = true;
        if (fetch.isNextOnThisHost()) {
            metrics.incLocalBlocksFetched(1);
        } else {
            metrics.incRemoteBlocksFetched(1);
        }
    }
}
