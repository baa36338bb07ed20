// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

/** Makes channels for calls to the namenode; found by its name with ServiceLoader. */
public interface RpcTransportProvider {
    /** Name in the configuration, {@code tcp}. */
    String name();

    /** Begins to connect. Does not block; the listener hears how it went. */
    RpcChannel open(String host, int port, IoContext io, RpcChannel.Listener listener);
}
