// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Makes unconnected sockets. */
@FunctionalInterface
public interface SocketFactory {
    SocketChannel open() throws IOException;

    /**
     * One for Unix sockets.
     *
     * @throws UnsupportedOperationException if this network has none
     */
    default SocketChannel openLocal() throws IOException {
        throw new UnsupportedOperationException("this network has no Unix sockets");
    }
}
