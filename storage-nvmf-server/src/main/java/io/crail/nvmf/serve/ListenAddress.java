// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.serve;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Endpoint;
import io.crail.storage.tcp.ListenFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;

/** Where a target is to listen, and whether it can. */
final class ListenAddress {
    private ListenAddress() {}

    static InetSocketAddress resolve(Endpoint listen) throws InvalidArgumentException {
        try {
            return new InetSocketAddress(InetAddress.getByName(listen.host()), listen.port());
        } catch (UnknownHostException e) {
            throw new InvalidArgumentException(
                    "--host " + listen.host() + " is not known; name an address of this machine",
                    e);
        }
    }

    /**
     * Whether one can listen there now: nobody should wait for a large file to be written to be
     * told that the port is in use. Who takes the port meanwhile is noticed later.
     */
    static void check(InetSocketAddress listen) throws CrailException {
        try (ServerSocketChannel probe = ServerSocketChannel.open()) {
            probe.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            probe.bind(listen);
        } catch (IOException e) {
            throw ListenFailure.of(listen, e);
        }
    }

    static String text(InetSocketAddress address) {
        return new Endpoint(address.getAddress().getHostAddress(), address.getPort()).toString();
    }
}
