// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import java.util.Map;

/**
 * Counters of one client since it connected. A snapshot; the counters are read one after another.
 *
 * @param rpcCalls calls to the namenode that were answered
 * @param rpcRetries calls that were sent again after a lost connection or a busy answer
 * @param reconnects connections to the namenode that were made again
 * @param sessions sessions opened
 * @param blockReads block reads that succeeded
 * @param blockWrites block writes that succeeded
 * @param bytesRead bytes read from storage servers
 * @param bytesWritten bytes written to storage servers
 * @param staleReferences reads that had to fetch fresh references
 * @param checksumFailures reads whose checksum did not match, and messages of transports with
 *     checksums of their own that arrived damaged
 * @param timeouts operations that missed their deadline
 * @param transports bytes by transport: {@code shm} (memory of this host), {@code tcp}
 * @param storageClasses bytes by storage class of the servers that they came from or went to; more
 *     than one is written to when the preferred one is full
 * @param poolBytes direct memory held by the buffer pool
 * @param poolBytesInUse of it lent out now
 * @param poolHits buffers lent without allocation
 * @param poolMisses buffers that had to be allocated
 * @param viewBlocks blocks that open views hold now
 * @param namenode where calls to the namenode go at present: {@code host:port}, or the path of a
 *     Unix socket; empty while there is no connection
 */
public record ClientStatistics(
        long rpcCalls,
        long rpcRetries,
        long reconnects,
        long sessions,
        long blockReads,
        long blockWrites,
        long bytesRead,
        long bytesWritten,
        long staleReferences,
        long checksumFailures,
        long timeouts,
        Map<String, Moved> transports,
        Map<Integer, Moved> storageClasses,
        long poolBytes,
        long poolBytesInUse,
        long poolHits,
        long poolMisses,
        int viewBlocks,
        String namenode) {
    /**
     * What went over one transport, or to and from one storage class.
     *
     * @param bytesRead bytes copied from storage servers
     * @param bytesWritten bytes copied to storage servers
     * @param bytesLent bytes looked at in place, by views
     */
    public record Moved(long bytesRead, long bytesWritten, long bytesLent) {
        Moved and(Moved other) {
            return new Moved(
                    bytesRead + other.bytesRead,
                    bytesWritten + other.bytesWritten,
                    bytesLent + other.bytesLent);
        }
    }

    /** Bytes that went over a transport, zeros if it was not used. */
    public Moved over(String transport) {
        return transports.getOrDefault(transport, new Moved(0, 0, 0));
    }
}
