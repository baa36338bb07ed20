// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.tcp;

import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPathProvider;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;

/** The data path over TCP. */
public final class TcpDataPathProvider implements DataPathProvider {
    @Override
    public String transport() {
        return "tcp";
    }

    @Override
    public boolean carriesQuestions() {
        return true;
    }

    @Override
    public DataPath open(DataPeer peer, IoContext io) {
        return new TcpDataPath(peer, io);
    }
}
