// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import io.crail.client.spi.IoContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Finds the address of a host without blocking whoever asks. */
final class AddressLookup {
    private AddressLookup() {}

    /** Begins; the result, of which one half is null, comes on the polling thread. */
    static void start(
            IoContext io,
            String clientName,
            String host,
            int port,
            BiConsumer<@Nullable InetSocketAddress, @Nullable IOException> result) {
        Runnable lookUp =
                () -> {
                    try {
                        InetAddress address = InetAddress.getByName(host);
                        io.execute(() -> result.accept(new InetSocketAddress(address, port), null));
                    } catch (UnknownHostException e) {
                        io.execute(() -> result.accept(null, e));
                    }
                };
        if (isLiteral(host)) {
            lookUp.run();
        } else {
            // It may block for long, and reconnects are rare: a thread for each.
            Thread resolver = new Thread(lookUp, "crail-resolve-" + clientName);
            resolver.setDaemon(true);
            resolver.start();
        }
    }

    /** An address literal needs no look-up; everything else might ask the network. */
    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0
                || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }
}
