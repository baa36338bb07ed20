// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.FabricProvider;
import io.crail.nvmf.fabric.Fabrics;
import io.crail.nvmf.initiator.error.NvmeException;

/** Provides NVMe over RDMA by our own initiator. */
public final class RdmaFabricProvider implements FabricProvider {
    @Override
    public String scheme() {
        return Fabrics.RDMA;
    }

    /**
     * A fabric of the caller's own.
     *
     * @throws NvmeException if this JVM or this machine cannot do RDMA, with what to do
     */
    @Override
    public Fabric open() throws NvmeException {
        RdmaQueues queues = RdmaQueues.open();
        boolean opened = false;
        try {
            Fabric fabric = Fabrics.over(queues);
            opened = true;
            return fabric;
        } finally {
            if (!opened) {
                queues.close();
            }
        }
    }
}
