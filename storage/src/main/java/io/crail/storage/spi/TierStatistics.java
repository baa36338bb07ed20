// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

/**
 * Counters of a tier.
 *
 * @param connections open client connections
 * @param inFlight requests that hold a block now
 * @param bytesRead since opening
 * @param bytesWritten since opening
 * @param sessions sessions of clients on this host that map the memory
 * @param pins blocks that they hold now
 * @param quarantined freed blocks that wait for a pin
 * @param requests of clients over the network
 * @param damaged messages of clients that arrived with a wrong checksum, where the transport has
 *     such
 * @param shared of the bytes read and written, those that went through memory shared with clients
 *     on this host and not through a socket
 */
public record TierStatistics(
        long connections,
        long inFlight,
        long bytesRead,
        long bytesWritten,
        long sessions,
        long pins,
        long quarantined,
        DataRequests requests,
        long damaged,
        long shared) {
    /** Of a tier whose transport has no checksums of its own, and no shared memory for data. */
    public TierStatistics(
            long connections,
            long inFlight,
            long bytesRead,
            long bytesWritten,
            long sessions,
            long pins,
            long quarantined,
            DataRequests requests) {
        this(
                connections,
                inFlight,
                bytesRead,
                bytesWritten,
                sessions,
                pins,
                quarantined,
                requests,
                0,
                0);
    }

    /** Of a tier that is reached over the network only and does not count requests. */
    public TierStatistics(long connections, long inFlight, long bytesRead, long bytesWritten) {
        this(connections, inFlight, bytesRead, bytesWritten, 0, 0, 0, DataRequests.none());
    }
}
