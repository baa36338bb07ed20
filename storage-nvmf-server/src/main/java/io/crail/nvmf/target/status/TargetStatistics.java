// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.status;

import java.util.List;

/**
 * What the target does; numbers are from about the same time.
 *
 * @param connections open now, whether or not they have a queue yet
 * @param connectionsRefused because there were too many
 * @param controllers associations now
 * @param dataBytes of the pool of data buffers that are lent now
 * @param dataBytesPeak most that ever were
 * @param dataBytesLimit size of that pool
 * @param dataWaits how often a command had to wait for a data buffer
 * @param digestErrors headers or data that arrived with a wrong digest
 * @param protocolErrors connections that were terminated for what the peer sent
 * @param keepAlivesExpired associations ended because their host was silent
 * @param sharedMemory bytes of memory that is shared with hosts of this machine now
 * @param sharedBytes of data that went through such memory instead of a socket
 * @param hosts those with a connection, and others that were seen lately
 */
public record TargetStatistics(
        int connections,
        long connectionsRefused,
        int controllers,
        long dataBytes,
        long dataBytesPeak,
        long dataBytesLimit,
        long dataWaits,
        long digestErrors,
        long protocolErrors,
        long keepAlivesExpired,
        long sharedMemory,
        long sharedBytes,
        List<HostStatistics> hosts) {
    public TargetStatistics {
        hosts = List.copyOf(hosts);
    }
}
