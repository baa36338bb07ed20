// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPathProvider;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.nvmf.layout.FlashEndpoint;

/** Makes data paths to namespaces; those of one client share fabrics. */
public final class NvmfDataPathProvider implements DataPathProvider {
    private final SharedFabrics fabrics = new SharedFabrics();

    @Override
    public String transport() {
        return FlashEndpoint.TRANSPORT;
    }

    @Override
    public DataPath open(DataPeer peer, IoContext io) {
        return new NvmfDataPath(peer, io, fabrics);
    }
}
