// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import java.util.concurrent.TimeUnit;

/**
 * When a controller that was given up may be tried again: a call that comes later than that begins
 * one attempt, and waits for its outcome; one that comes earlier fails at once. The pause doubles
 * with each attempt that fails. So a target that refuses this host for a while, as one that starts
 * may do, is found again without anybody asking for it, and one that refuses it for ever costs an
 * attempt now and then. Thread-safe.
 */
final class Revival {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private long pause = FIRST_PAUSE_NANOS;
    private long notBefore;

    /** The controller was given up. */
    synchronized void givenUp(long now) {
        notBefore = now + pause;
        pause = Math.min(MAX_PAUSE_NANOS, pause * 2);
    }

    /** It is back. */
    synchronized void succeeded() {
        pause = FIRST_PAUSE_NANOS;
    }

    synchronized boolean isDue(long now) {
        return now - notBefore >= 0;
    }
}
