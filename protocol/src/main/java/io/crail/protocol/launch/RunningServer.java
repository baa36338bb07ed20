// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.launch;

import io.crail.error.CrailException;
import java.util.Optional;

/** A server that serves. Thread-safe. */
public interface RunningServer extends AutoCloseable {
    /** {@code host:port} that it listens on. */
    String address();

    /** {@code http://HOST:PORT} where it shows its status, if it does. */
    Optional<String> statusUrl();

    /** What whoever started it should be told, although it serves. */
    Optional<String> warning();

    /**
     * Waits until it ends by itself or is closed.
     *
     * @throws CrailException if it ended by itself: why
     */
    void awaitEnd() throws CrailException;

    /** Ends it and waits, for a bounded time, until it has ended. Idempotent. */
    @Override
    void close();
}
