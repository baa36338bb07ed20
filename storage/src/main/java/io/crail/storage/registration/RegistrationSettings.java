// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import io.crail.protocol.authentication.Credentials;
import java.time.Duration;
import java.util.List;

/**
 * What the server says of itself, to whom, and how patient it is.
 *
 * @param namenodes where to look for the namenode, tried in turn
 * @param host the server's name
 * @param tier name of its tier
 * @param storageClass rank, 0..255
 * @param locationClass where it is
 * @param software version of its software
 * @param credentials what is shown to the namenode, if anything
 * @param requestTimeout for an answer, and for connecting
 * @param minBackoff wait before the first new attempt
 * @param maxBackoff longest wait between attempts
 */
public record RegistrationSettings(
        List<NamenodeAddress> namenodes,
        String host,
        String tier,
        int storageClass,
        String locationClass,
        String software,
        Credentials credentials,
        Duration requestTimeout,
        Duration minBackoff,
        Duration maxBackoff) {
    public RegistrationSettings {
        namenodes = List.copyOf(namenodes);
    }
}
