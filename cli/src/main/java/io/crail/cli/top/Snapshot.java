// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import io.crail.protocol.message.Statistics;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster at one moment, as far as it answered. Immutable.
 *
 * @param nanos monotonic time at which it was asked
 * @param statistics what the namenode said; empty if it did not answer
 * @param failure why it did not
 * @param namenode metrics of the namenode; or why there are none
 * @param servers of each storage server, by id
 */
record Snapshot(
        long nanos,
        Optional<Statistics.Reply> statistics,
        String failure,
        Page namenode,
        Map<Integer, Page> servers) {
    /**
     * A page of metrics.
     *
     * @param metrics empty if there is none
     * @param failure why not
     */
    record Page(Optional<MetricText> metrics, String failure) {
        static Page of(MetricText metrics) {
            return new Page(Optional.of(metrics), "");
        }

        static Page missing(String why) {
            return new Page(Optional.empty(), why);
        }
    }

    Snapshot {
        servers = Map.copyOf(servers);
    }
}
