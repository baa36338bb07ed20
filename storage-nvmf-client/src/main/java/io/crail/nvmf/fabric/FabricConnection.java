// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.error.NvmeException;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * An association of a host with a controller: the queues, kept alive. One that is lost does not
 * come back by itself: its commands fail, with {@link
 * io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException} if the controller may still execute
 * them, and whoever uses it dials again. Thread-safe.
 */
public interface FabricConnection extends AutoCloseable {
    /**
     * Opens a namespace.
     *
     * @throws NvmeException if it is not active, or has a format that cannot be used
     */
    FabricNamespace namespace(int id) throws NvmeException, InterruptedIOException;

    /** Most bytes of one command. */
    int maxTransferBytes();

    /**
     * Silence after which the target gives this host up: what it was asked for, or more if it does
     * not tell times as fine as that apart or keeps all hosts for longer; zero if it never does. A
     * target that counts any traffic for a sign of life, or looks only now and then, may take twice
     * as long.
     */
    Duration keepAlive();

    /**
     * Ends the association. Commands under way fail; when this returns, no buffer is touched any
     * more. Idempotent.
     */
    @Override
    void close();
}
