// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.function.LongSupplier;

/**
 * What an engine is made with. Clock and sockets are injected, so that tests control them.
 *
 * @param clientName for the names of threads
 * @param bufferPoolBytes limit of the buffer pool
 * @param connectTimeoutNanos longest time for one connection
 * @param sockets makes sockets
 * @param clock as {@link System#nanoTime}
 */
public record EngineSettings(
        String clientName,
        long bufferPoolBytes,
        long connectTimeoutNanos,
        SocketFactory sockets,
        LongSupplier clock) {}
