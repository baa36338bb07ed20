// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPathProvider;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;

/** The data path over shared memory. */
public final class ShmDataPathProvider implements DataPathProvider {
    @Override
    public String transport() {
        return "shm";
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public DataPath open(DataPeer peer, IoContext io) {
        return new ShmDataPath(peer, io);
    }
}
