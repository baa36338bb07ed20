// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.SocketFactory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.LongSupplier;

/**
 * What an initiator stands on, and whom it tells of damage.
 *
 * @param clock as {@link System#nanoTime}
 * @param sockets makes unconnected sockets
 * @param network makes the selector, which has to know the sockets
 * @param onDamage run for each PDU that arrived with a wrong digest, by the thread that polls; must
 *     not block
 */
record InitiatorSurroundings(
        LongSupplier clock, SocketFactory sockets, SelectorProvider network, Runnable onDamage) {
    static final InitiatorSurroundings REAL =
            new InitiatorSurroundings(
                    System::nanoTime, new Sockets(), SelectorProvider.provider(), () -> {});

    /** Those of this machine. */
    private static final class Sockets implements SocketFactory {
        @Override
        public SocketChannel open() throws IOException {
            return SocketChannel.open();
        }

        @Override
        public SocketChannel openLocal() throws IOException {
            return SocketChannel.open(StandardProtocolFamily.UNIX);
        }
    }

    InitiatorSurroundings withClock(LongSupplier value) {
        return new InitiatorSurroundings(value, sockets, network, onDamage);
    }

    InitiatorSurroundings withNetwork(SocketFactory factory, SelectorProvider provider) {
        return new InitiatorSurroundings(clock, factory, provider, onDamage);
    }

    InitiatorSurroundings withDamageListener(Runnable listener) {
        return new InitiatorSurroundings(clock, sockets, network, listener);
    }
}
