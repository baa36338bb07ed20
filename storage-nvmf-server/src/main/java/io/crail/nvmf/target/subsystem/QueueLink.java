// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

/** The connection behind a queue, as the subsystem sees it. */
public interface QueueLink {
    /**
     * Closes the connection soon; returns at once. Thread-safe, may be repeated.
     *
     * @param reason for the log
     */
    void close(String reason);

    /** Whether it is closed, and all its buffers are back. Thread-safe. */
    boolean isGone();
}
