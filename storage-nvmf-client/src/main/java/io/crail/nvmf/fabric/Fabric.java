// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.error.NvmeException;
import java.io.InterruptedIOException;

/**
 * A kind of network that NVMe commands go over: makes connections, and has what they share, such as
 * threads. This is the one place where a connection is dialled. Thread-safe.
 */
public interface Fabric extends AutoCloseable {
    /**
     * Connects to a controller of a subsystem as one host, sets it up and waits for that. Tried
     * once, within {@link FabricHost#connectTimeout} for each step.
     *
     * @throws NvmeException if it cannot be reached, does not admit the host, or cannot be used
     * @throws InterruptedIOException if the thread was interrupted
     */
    FabricConnection connect(NvmeAddress address, FabricHost host)
            throws NvmeException, InterruptedIOException;

    /** Closes all connections. Idempotent. */
    @Override
    void close();
}
