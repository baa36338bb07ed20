// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.QueueFactory;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.UUID;

/** Our own initiator, with its selector and its threads, for all connections. Thread-safe. */
final class InitiatorFabric implements Fabric {
    private static final Duration DELAY = Duration.ofMillis(1);

    private final NvmeInitiator initiator;

    /**
     * Over what those queues use.
     *
     * @param queues closed with this, and not if that cannot be made
     */
    InitiatorFabric(QueueFactory queues) throws NvmeException {
        // Each connection is made as a host of its own; this name is never shown.
        this.initiator = new NvmeInitiator(InitiatorConfig.of(new UUID(1, 1)), queues);
    }

    @Override
    public FabricConnection connect(NvmeAddress address, FabricHost host)
            throws NvmeException, InterruptedIOException {
        InitiatorConfig config =
                InitiatorConfig.of(host.id())
                        .withHostName(host.name())
                        .withQueues(host.queues(), host.entries(), host.waiting())
                        .withDigests(host.digests().header(), host.digests().data())
                        .withSharedMemory(host.sharedMemory())
                        .withDamageListener(host.digests().damaged())
                        .withKeepAlive(host.keepAlive())
                        .withConnectTimeouts(host.connectTimeout(), Duration.ZERO, DELAY)
                        .withCommandTimeouts(
                                host.commandTimeout(),
                                host.abortTimeout(),
                                host.operationTimeout());
        return new InitiatorConnection(initiator.connect(address, config));
    }

    @Override
    public void close() {
        initiator.close();
    }
}
