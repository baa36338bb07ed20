// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.launch;

import io.crail.error.CrailException;
import io.crail.protocol.config.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Asks targets of NVMe/TCP what they serve. Has a public constructor without arguments;
 * thread-safe.
 */
public interface SubsystemDiscovery {
    /**
     * The entries of the discovery log page.
     *
     * @param hostNqn as whom to ask; empty for somebody whom nobody knows
     * @param patience for each step of the way there
     * @throws CrailException by its code: SERVER_LOST if nobody answers as a target does,
     *     ACCESS_DENIED if this host is refused, INVALID_ARGUMENT if its name is none
     */
    List<SubsystemEntry> ask(Endpoint service, Optional<String> hostNqn, Duration patience)
            throws CrailException;
}
