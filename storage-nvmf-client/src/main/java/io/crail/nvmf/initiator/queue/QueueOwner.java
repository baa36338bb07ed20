// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.error.NvmeException;

/** Who a queue belongs to. Called by the poller; must not block. */
public interface QueueOwner {
    /** The connection ended, and all commands of the queue with it. Called once. */
    void ended(CommandQueue queue, NvmeException cause);

    /**
     * A command was not answered in time; the owner may have it aborted.
     *
     * @return false if it cannot be: then the connection ends
     */
    boolean timedOut(CommandQueue queue, int commandId, Command command);

    /**
     * A queue has moved much data to or from a controller of this machine that has memory to share:
     * the owner may ask for it and must then call {@link CommandQueue#share}. By whoever posts,
     * outside of all locks.
     */
    void wantsMemory(CommandQueue queue);
}
