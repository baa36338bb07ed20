// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

import io.crail.status.Latencies;

/**
 * Requests of clients to a tier since it was opened, and how long they took.
 *
 * @param reads requests that were begun to be served
 * @param writes the same
 * @param readDurations from the request to when the kernel has taken the answer, of every 16th
 * @param writeDurations from the request's head to when its bytes are stored, of every 16th
 */
public record DataRequests(
        long reads, long writes, Latencies.Total readDurations, Latencies.Total writeDurations) {
    /** None. */
    public static DataRequests none() {
        return new DataRequests(0, 0, new Latencies.Total(), new Latencies.Total());
    }
}
