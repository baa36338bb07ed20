// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

import io.crail.protocol.authentication.Credentials;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a tier is opened with. The directory is locked by the frame for this server, exists, and is
 * readable by its owner only.
 *
 * @param identity the server's identity, kept in the directory
 * @param directory where the tier keeps its files
 * @param capacity bytes of data to offer
 * @param segmentSize bytes of data of a segment made anew
 * @param format whether to discard what earlier runs left outside of the directory; the directory
 *     itself is empty then
 * @param bindHost address to listen on
 * @param bindPort port to listen on, 0 = any free one
 * @param advertisedHosts hosts to announce to clients, at least one
 * @param limits bounds of the data service
 * @param credentials what clients have to show, if anything
 * @param options settings that only this tier knows, by key
 */
public record TierContext(
        UUID identity,
        Path directory,
        long capacity,
        long segmentSize,
        boolean format,
        String bindHost,
        int bindPort,
        List<String> advertisedHosts,
        ServiceLimits limits,
        Credentials credentials,
        Map<String, String> options) {
    public TierContext {
        advertisedHosts = List.copyOf(advertisedHosts);
        options = Map.copyOf(options);
    }
}
