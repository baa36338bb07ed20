// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.server;

import io.crail.cli.cluster.ClusterRemains;
import io.crail.cli.command.Leftovers;
import io.crail.error.CancelledException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends a server when the process that has started it is gone, however that was ended: the kernel
 * then closes the other end of its standard input, to which nothing is ever written. The server is
 * closed as by a signal, and the last one of its cluster removes what the cluster has left.
 */
final class Lifeline {
    private final InputStream input;
    private final Runnable exit;
    private final AtomicBoolean cut = new AtomicBoolean();

    /**
     * A lifeline.
     *
     * @param input ends with the other process
     * @param exit ends this process: leftovers are removed
     */
    Lifeline(InputStream input, Runnable exit) {
        this.input = input;
        this.exit = exit;
    }

    /** Watches from now on; what the cluster leaves is the last of the leftovers. */
    void hold(Leftovers leftovers, ClusterRemains remains) throws CancelledException {
        leftovers.add(
                () -> {
                    if (cut.get()) {
                        remains.leave();
                    }
                });
        Thread watch = new Thread(this::watch, "lifeline");
        watch.setDaemon(true);
        watch.start();
    }

    private void watch() {
        try {
            input.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // As good as its end: nobody can be on the other side.
        }
        cut.set(true);
        exit.run();
    }
}
