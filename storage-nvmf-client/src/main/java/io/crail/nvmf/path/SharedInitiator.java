// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.error.NvmeException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One initiator, with its selector and its thread, for as long as any path uses it. Thread-safe.
 */
final class SharedInitiator {
    private @Nullable NvmeInitiator initiator;
    private int users;

    /** The initiator; the caller owes a {@link #release}. */
    synchronized NvmeInitiator acquire() throws NvmeException {
        NvmeInitiator current = initiator;
        if (current == null) {
            // Each path connects as its own session; this name is never shown.
            current = new NvmeInitiator(InitiatorConfig.of(new UUID(1, 1)));
            initiator = current;
        }
        users++;
        return current;
    }

    void release() {
        NvmeInitiator idle = null;
        synchronized (this) {
            users--;
            if (users == 0) {
                idle = initiator;
                initiator = null;
            }
        }
        if (idle != null) {
            idle.close();
        }
    }
}
