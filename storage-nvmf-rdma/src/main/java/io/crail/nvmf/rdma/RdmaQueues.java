// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.initiator.queue.CommandQueue;
import io.crail.nvmf.initiator.queue.QueueFactory;
import io.crail.nvmf.initiator.queue.QueueOwner;
import io.crail.nvmf.initiator.queue.QueueSettings;

/** Makes queues over RDMA, which share one thread that polls. Thread-safe. */
public final class RdmaQueues implements QueueFactory {
    /** Memory for data of an I/O queue: as much is on its way at a time, and locked. */
    static final int DATA_BYTES = 2 << 20;

    /** The same of an admin queue: structures of 4 KiB, log pages. */
    static final int ADMIN_DATA_BYTES = 128 << 10;

    /** Small enough that several commands of that size are on their way. */
    private static final int MAX_TRANSFER_BYTES = 256 << 10;

    private final QueuePoller poller = new QueuePoller();

    private RdmaQueues() {}

    /**
     * Looks whether RDMA can be used here.
     *
     * @throws NvmeUnsupportedException if not, with what to do
     */
    public static RdmaQueues open() throws NvmeUnsupportedException {
        RdmaSupport.check();
        return new RdmaQueues();
    }

    @Override
    public int maxTransferBytes() {
        return MAX_TRANSFER_BYTES;
    }

    @Override
    public CommandQueue newQueue(Engine engine, QueueSettings settings, int id, QueueOwner owner) {
        return new RdmaQueue(
                engine, settings, id, owner, poller, id == 0 ? ADMIN_DATA_BYTES : DATA_BYTES);
    }

    @Override
    public void close() {
        poller.close();
    }
}
