// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.config;

import io.crail.client.CrailClient;
import java.io.IOException;
import java.lang.ref.Cleaner;

/**
 * The right to use a shared client. Thread-safe. Given back by {@link #close}, or when the lease is
 * forgotten and garbage collected: file systems behind a FileContext are never closed.
 */
public final class ClientLease implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final CrailClient client;
    private final Cleaner.Cleanable release;
    private volatile boolean closed;

    /**
     * @param release gives the client back; must not refer to the lease, and is run once
     */
    ClientLease(CrailClient client, Runnable release) {
        this.client = client;
        this.release = CLEANER.register(this, release);
    }

    /**
     * The client.
     *
     * @throws IOException if the lease was given back
     */
    public CrailClient client() throws IOException {
        if (closed) {
            throw new IOException("Filesystem closed");
        }
        return client;
    }

    /** Gives the client back. Idempotent. */
    @Override
    public void close() {
        closed = true;
        release.clean();
    }
}
