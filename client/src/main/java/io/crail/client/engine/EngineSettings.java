// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What an engine is made with. Clock, network and threads are injected, so that tests control them.
 *
 * @param clientName for the names of threads
 * @param bufferPoolBytes limit of the buffer pool
 * @param connectTimeoutNanos longest time for one connection
 * @param sockets makes sockets
 * @param clock as {@link System#nanoTime}
 * @param network makes the selector, which has to know the channels that transports make
 * @param threads whether the engine starts threads of its own; if not, who made it calls {@link
 *     Engine#turn} again and again, from one thread
 * @param busyPoll whether threads that wait look for messages before they sleep, while that pays
 * @param transportOptions settings that only one transport knows, by key
 */
public record EngineSettings(
        String clientName,
        long bufferPoolBytes,
        long connectTimeoutNanos,
        SocketFactory sockets,
        LongSupplier clock,
        SelectorProvider network,
        boolean threads,
        boolean busyPoll,
        Map<String, String> transportOptions) {
    /** On the network of the machine, with threads. */
    public EngineSettings(
            String clientName,
            long bufferPoolBytes,
            long connectTimeoutNanos,
            SocketFactory sockets,
            LongSupplier clock) {
        this(
                clientName,
                bufferPoolBytes,
                connectTimeoutNanos,
                sockets,
                clock,
                SelectorProvider.provider(),
                true,
                true,
                Map.of());
    }
}
