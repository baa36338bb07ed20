// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** SIGSTOP and SIGCONT for a process that the test has started. */
final class Signals {
    private static final long BOUND_SECONDS = 60;

    private Signals() {}

    static void stop(Process process) {
        send("STOP", process);
    }

    static void resume(Process process) {
        send("CONT", process);
    }

    private static void send(String name, Process process) {
        try {
            Process kill =
                    new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                            .inheritIO()
                            .start();
            if (!kill.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("kill -" + name + " of " + process.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
