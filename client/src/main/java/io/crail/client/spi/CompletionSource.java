// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

/**
 * A transport whose completions are found by looking, such as a completion queue of an RDMA device
 * or a ring in shared memory.
 */
public interface CompletionSource {
    /** Handles what has completed; returns how many completions there were. Never blocks. */
    int poll();

    /**
     * Called before the poller sleeps: asks for {@link IoContext#wakeup} when something completes
     * from now on.
     *
     * @return whether the poller may sleep for long; if false, it comes back within a millisecond
     */
    boolean arm();
}
