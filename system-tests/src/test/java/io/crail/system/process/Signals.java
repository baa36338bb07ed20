// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** SIGSTOP and SIGCONT for a process that the test has started. */
final class Signals {
    private static final long BOUND_SECONDS = 60;

    private Signals() {}

    /** Returns when no thread of the process runs any more. */
    static void stop(Process process) {
        send("STOP", process);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
        while (!allStopped(process)) {
            if (System.nanoTime() > until) {
                throw new AssertionError("process " + process.pid() + " did not stop");
            }
            LockSupport.parkNanos(50_000); // A poll interval.
        }
    }

    static void resume(Process process) {
        send("CONT", process);
    }

    /** Asks the kernel about each thread: the first one to stop is not the last one. */
    private static boolean allStopped(Process process) {
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        try (Stream<Path> each = Files.list(tasks)) {
            return each.toList().stream().allMatch(Signals::isStopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isStopped(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            // The state follows the name, which may hold anything, in parentheses.
            return stat.startsWith(") T", stat.lastIndexOf(')'));
        } catch (NoSuchFileException e) {
            return true; // It has ended meanwhile.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void send(String name, Process process) {
        String pid = Long.toString(process.pid());
        try {
            Process kill =
                    new ProcessBuilder(List.of("sh", "-c", "kill -" + name + " " + pid))
                            .inheritIO()
                            .start();
            if (!kill.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("kill -" + name + " of process " + pid + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
