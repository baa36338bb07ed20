// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.tcp;

import io.crail.client.spi.IoContext;
import io.crail.client.spi.RpcChannel;
import io.crail.client.spi.RpcTransportProvider;
import io.crail.client.stream.StreamChannel;

/** Calls over TCP. */
public final class TcpRpcTransportProvider implements RpcTransportProvider {
    /** Answers with listings are large; a smaller buffer would only cost more system calls. */
    private static final int BUFFER_BYTES = 64 << 10;

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public RpcChannel open(String host, int port, IoContext io, RpcChannel.Listener listener) {
        return StreamChannel.open(new TcpDialer(host, port), BUFFER_BYTES, io, listener);
    }
}
