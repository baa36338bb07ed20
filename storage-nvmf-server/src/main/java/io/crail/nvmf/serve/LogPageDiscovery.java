// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.serve;

import io.crail.error.AccessDeniedException;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ServerLostException;
import io.crail.nvmf.initiator.DiscoveredSubsystem;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.wire.log.DiscoveryEntry;
import io.crail.nvmf.wire.status.StatusCode;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.launch.SubsystemDiscovery;
import io.crail.protocol.launch.SubsystemEntry;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads discovery log pages over TCP. */
public final class LogPageDiscovery implements SubsystemDiscovery {
    private static final Duration PAUSE = Duration.ofMillis(100);

    @Override
    public List<SubsystemEntry> ask(Endpoint service, Optional<String> hostNqn, Duration patience)
            throws CrailException {
        try (NvmeInitiator initiator = new NvmeInitiator(config(hostNqn, patience))) {
            return initiator.discover(service.host(), service.port()).stream()
                    .map(LogPageDiscovery::entry)
                    .toList();
        } catch (NvmeStatusException e) {
            throw StatusCode.CONNECT_INVALID_HOST.is(e.status())
                    ? new AccessDeniedException(e.getMessage() + "; ask as a host that may", e)
                    : new ServerLostException(String.valueOf(e.getMessage()), e);
        } catch (NvmeException e) {
            throw new ServerLostException(
                    e.getMessage()
                            + "; is the target up, is the port right (8009 by custom for discovery"
                            + " alone, 4420 for targets), is there a firewall",
                    e);
        } catch (InterruptedIOException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private static InitiatorConfig config(Optional<String> hostNqn, Duration patience) {
        InitiatorConfig config =
                InitiatorConfig.of(UUID.randomUUID())
                        .withConnectTimeouts(patience, Duration.ZERO, PAUSE);
        return hostNqn.map(config::withHostName).orElse(config);
    }

    private static SubsystemEntry entry(DiscoveredSubsystem found) {
        return new SubsystemEntry(
                switch (found.transportType()) {
                    case DiscoveryEntry.TRANSPORT_TCP -> "tcp";
                    case DiscoveryEntry.TRANSPORT_RDMA -> "rdma";
                    default -> Integer.toString(found.transportType());
                },
                switch (found.subsystemType()) {
                    case DiscoveryEntry.SUBSYSTEM_NVM -> "nvme";
                    case DiscoveryEntry.SUBSYSTEM_REFERRAL, DiscoveryEntry.SUBSYSTEM_CURRENT ->
                            "discovery";
                    default -> Integer.toString(found.subsystemType());
                },
                found.subsystem(),
                found.host(),
                found.serviceId());
    }
}
