// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.SocketFactory;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.security.SecureRandom;
import java.util.function.LongSupplier;

/**
 * What a client takes from the machine it runs on; tests put others in its place.
 *
 * @param clock as {@link System#nanoTime}
 * @param sockets makes sockets
 * @param network makes the selector, which has to know these sockets
 * @param seeds seeds what is random
 * @param threads whether the client has threads of its own; see {@link
 *     io.crail.client.engine.EngineSettings}
 */
record Surroundings(
        LongSupplier clock,
        SocketFactory sockets,
        SelectorProvider network,
        LongSupplier seeds,
        boolean threads) {
    /** The real machine. */
    static final Surroundings SYSTEM =
            new Surroundings(
                    System::nanoTime,
                    SocketChannel::open,
                    SelectorProvider.provider(),
                    () -> new SecureRandom().nextLong(),
                    true);

    Surroundings withClock(LongSupplier nanoTime) {
        return new Surroundings(nanoTime, sockets, network, seeds, threads);
    }

    Surroundings withSockets(SocketFactory factory) {
        return new Surroundings(clock, factory, network, seeds, threads);
    }
}
