// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import io.crail.protocol.local.LocalEndpoint;

/** Makes channels for calls to a namenode on this host, over its Unix socket. Thread-safe. */
@FunctionalInterface
public interface LocalTransport {
    /**
     * Begins to connect. Does not block; the listener hears how it went. Whether the directory is
     * the namenode's is looked at before ({@link LocalEndpoint#find}), each time.
     */
    RpcChannel open(LocalEndpoint endpoint, IoContext io, RpcChannel.Listener listener);
}
