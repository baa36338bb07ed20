// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import java.util.Optional;

/** Makes channels for calls to the namenode; found by its name with ServiceLoader. */
public interface RpcTransportProvider {
    /** Name in the configuration, {@code tcp}. */
    String name();

    /** Begins to connect. Does not block; the listener hears how it went. */
    RpcChannel open(String host, int port, IoContext io, RpcChannel.Listener listener);

    /**
     * What takes the place of this transport where the namenode is on this host and tells of a Unix
     * socket; empty: nothing does.
     */
    default Optional<LocalTransport> local() {
        return Optional.empty();
    }
}
