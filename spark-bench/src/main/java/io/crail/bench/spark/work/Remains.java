// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import io.crail.bench.spark.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What an application has to take along when it ends: its executors, and its files. */
final class Remains {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final List<Path> directories;
    private volatile boolean beingRemoved;
    private Runnable first = () -> {};

    Remains(List<Path> directories) {
        this.directories = List.copyOf(directories);
    }

    /** What is tried before executors are killed. */
    synchronized void stopFirst(Runnable stop) {
        first = stop;
    }

    /** Whether {@link #remove} has begun: a job that fails from now on was stopped by it. */
    boolean isBeingRemoved() {
        return beingRemoved;
    }

    /** Removes everything. A second call waits for the first and finds nothing. */
    synchronized void remove() {
        beingRemoved = true;
        Thread stop = new Thread(first, "stop");
        first = () -> {};
        stop.setDaemon(true);
        stop.start();
        try {
            stop.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        try {
            ScratchDirectory.removeAll(directories);
        } catch (IOException e) {
            System.err.println("cannot remove " + directories + ": " + e);
        }
    }
}
