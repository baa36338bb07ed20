// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.tcp;

import io.crail.client.spi.IoContext;
import io.crail.client.spi.LocalTransport;
import io.crail.client.spi.RpcChannel;
import io.crail.client.spi.RpcTransportProvider;
import io.crail.client.stream.StreamChannel;
import java.util.Optional;

/** Calls over TCP, or over the Unix socket of a namenode on this host. */
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

    @Override
    public Optional<LocalTransport> local() {
        return Optional.of(
                (endpoint, io, listener) ->
                        StreamChannel.open(new LocalDialer(endpoint), BUFFER_BYTES, io, listener));
    }
}
