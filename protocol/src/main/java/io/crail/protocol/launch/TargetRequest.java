// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.launch;

import io.crail.protocol.config.Endpoint;
import java.nio.file.Path;
import java.util.Set;

/**
 * What a target of NVMe/TCP is to serve, where, and to whom. Names and sizes are checked by whoever
 * starts it.
 *
 * @param file a file or a block device
 * @param bytes size of the file, which is made if it is not there; 0 serves what is there as it is
 * @param blockBytes logical block
 * @param nqn name of the subsystem
 * @param anyHost whether every host may connect
 * @param allowedHosts names of the hosts that may, else
 * @param listen address to listen on, port 0 for any free one
 */
public record TargetRequest(
        Path file,
        long bytes,
        int blockBytes,
        String nqn,
        boolean anyHost,
        Set<String> allowedHosts,
        Endpoint listen) {
    public TargetRequest {
        allowedHosts = Set.copyOf(allowedHosts);
    }
}
