// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.launch;

/** A server that serves. Thread-safe. */
public interface RunningServer extends AutoCloseable {
    /** {@code host:port} that it listens on. */
    String address();

    /** Ends it and waits, for a bounded time, until it has ended. Idempotent. */
    @Override
    void close();
}
