// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.QueueFactory;

/** Provides NVMe over TCP by our own initiator. */
public final class TcpFabricProvider implements FabricProvider {
    @Override
    public String scheme() {
        return Fabrics.TCP;
    }

    @Override
    public Fabric open() throws NvmeException {
        return Fabrics.over(QueueFactory.TCP);
    }
}
