// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.error.NvmeException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.UUID;

/** NVMe over TCP: one initiator, with its selector and its thread, for all connections. */
final class TcpFabric implements Fabric {
    private static final Duration DELAY = Duration.ofMillis(1);

    private final NvmeInitiator initiator;

    TcpFabric() throws NvmeException {
        // Each connection is made as a host of its own; this name is never shown.
        this.initiator = new NvmeInitiator(InitiatorConfig.of(new UUID(1, 1)));
    }

    @Override
    public FabricConnection connect(NvmeAddress address, FabricHost host)
            throws NvmeException, InterruptedIOException {
        InitiatorConfig config =
                InitiatorConfig.of(host.id())
                        .withHostName(host.name())
                        .withQueues(host.queues(), host.entries(), host.waiting())
                        .withDigests(host.digests().header(), host.digests().data())
                        .withDamageListener(host.digests().damaged())
                        .withKeepAlive(host.keepAlive())
                        .withConnectTimeouts(host.connectTimeout(), Duration.ZERO, DELAY)
                        .withCommandTimeouts(
                                host.commandTimeout(),
                                host.abortTimeout(),
                                host.operationTimeout());
        return new TcpConnection(initiator.connect(address, config), host.keepAlive());
    }

    @Override
    public void close() {
        initiator.close();
    }
}
