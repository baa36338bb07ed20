// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What connections have left to be sent in one write, and whose posts may be left: those of the
 * thread that last asked for the outcome of a future, because it will soon ask for the next one and
 * flushes before it waits. Thread-safe.
 */
final class LaterFlushes {
    private final ConcurrentLinkedQueue<Runnable> flushes = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread driver;

    /** The calling thread asks for an outcome. */
    void asked() {
        Thread me = Thread.currentThread();
        if (driver != me) {
            driver = me;
        }
    }

    /** The thread that asked last is not coming back; it posts at once until it asks again. */
    void forgetWhoAsked() {
        driver = null;
    }

    boolean mayBeLeftByCaller() {
        return driver == Thread.currentThread();
    }

    void add(Runnable flush) {
        flushes.add(flush);
    }

    boolean isEmpty() {
        return flushes.isEmpty();
    }

    void runAll() {
        for (Runnable flush = flushes.poll(); flush != null; flush = flushes.poll()) {
            Poller.run(flush);
        }
    }
}
