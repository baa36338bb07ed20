// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.QueueFactory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A host that connects to NVMe subsystems, over TCP if not said otherwise. Its controllers share
 * one selector and one daemon thread, which drives what nobody waits for.
 *
 * <p>Thread-safe.
 */
public final class NvmeInitiator implements AutoCloseable {
    private final InitiatorConfig config;
    private final QueueFactory queues;
    private final Engine engine;
    private final Set<NvmeController> controllers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Over TCP: opens a selector and starts the thread; nothing is connected. */
    public NvmeInitiator(InitiatorConfig config) throws NvmeException {
        this(config, QueueFactory.TCP);
    }

    /**
     * Over what those queues use.
     *
     * @param queues closed with this initiator, and not if that cannot be made
     */
    public NvmeInitiator(InitiatorConfig config, QueueFactory queues) throws NvmeException {
        this.config = config;
        this.queues = queues;
        try {
            this.engine = new Engine("crail-nvmf", config.clock(), config.network());
        } catch (IOException e) {
            throw new NvmeConnectException("no selector can be opened: " + e.getMessage(), e);
        }
    }

    /**
     * Connects to a controller of a subsystem, sets it up and waits for that. Tried once.
     *
     * @throws NvmeException if it cannot be reached, does not admit this host, or cannot be used
     * @throws InterruptedIOException if the thread was interrupted
     */
    public NvmeController connect(NvmeAddress address)
            throws NvmeException, InterruptedIOException {
        return connect(address, config);
    }

    /**
     * As {@link #connect(NvmeAddress)}, as another host or with other settings; clock and network
     * are those of this initiator.
     */
    public NvmeController connect(NvmeAddress address, InitiatorConfig as)
            throws NvmeException, InterruptedIOException {
        checkOpen();
        NvmeController controller =
                new NvmeController(engine, queues, as, address, controllers::remove);
        boolean connected = false;
        controllers.add(controller);
        try {
            controller.comeBack();
            connected = true;
            return controller;
        } finally {
            if (!connected) {
                controller.close();
            }
        }
    }

    /** Asks a discovery service which subsystems there are. */
    public List<DiscoveredSubsystem> discover(String host, int port)
            throws NvmeException, InterruptedIOException {
        checkOpen();
        NvmeAddress address = NvmeAddress.discovery(host, port);
        Association association = new Association(engine, queues, config, (ended, cause) -> {});
        try {
            new AssociationSetup(association, address, AssociationSetup.Kind.DISCOVERY).run();
            return new Discovery(association, address).read();
        } finally {
            association.leave(new NvmeClosedException("the discovery is over"));
        }
    }

    private void checkOpen() throws NvmeClosedException {
        if (closed) {
            throw new NvmeClosedException("the initiator was closed");
        }
    }

    /** Closes all controllers and ends the thread. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        controllers.forEach(NvmeController::close);
        engine.close();
        queues.close();
    }
}
