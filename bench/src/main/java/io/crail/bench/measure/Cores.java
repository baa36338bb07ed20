// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import io.crail.error.CancelledException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Confines processes to cores by {@code taskset}, since the time of a round trip depends on whether
 * both sides share one. Threads that a confined process starts later are confined as well.
 */
public final class Cores {
    private static final int ATTEMPTS = 5;
    private static final long BOUND_SECONDS = 10;

    private Cores() {}

    /** The cores that this process may use, as the kernel writes them: {@code 0-3,7}. */
    public static String allowed() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("Cpus_allowed_list:")) {
                return line.substring(line.indexOf(':') + 1).strip();
            }
        }
        throw new InternalException("/proc/self/status does not tell the allowed cores");
    }

    /** The numbers of such a list. */
    public static int[] parse(String list) {
        return Arrays.stream(list.split(",", -1))
                .flatMapToInt(
                        range -> {
                            int dash = range.indexOf('-');
                            int first =
                                    Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                            int last =
                                    dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
                            return IntStream.rangeClosed(first, last);
                        })
                .toArray();
    }

    /**
     * Confines all threads of a process to the cores of a list.
     *
     * @throws InternalException if it has ended, or the list names no core of this machine
     */
    public static void confine(long process, String list) throws IOException {
        String said = "";
        // taskset takes a process without threads, one that has ended, for a success.
        if (ProcessHandle.of(process).isEmpty()) {
            throw new InternalException(
                    "cannot confine process " + process + " to cores " + list + ": it has ended");
        }
        // A thread that ends meanwhile fails the whole command; the next attempt does not see it.
        for (int i = 0; i < ATTEMPTS; i++) {
            Process taskset =
                    new ProcessBuilder("taskset", "-a", "-p", "-c", list, Long.toString(process))
                            .redirectErrorStream(true)
                            .start();
            taskset.getOutputStream().close();
            said = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (ended(taskset)) {
                return;
            }
        }
        throw new InternalException(
                "cannot confine process " + process + " to cores " + list + ": " + said.strip());
    }

    private static boolean ended(Process taskset) throws CancelledException {
        try {
            return taskset.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) && taskset.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } finally {
            taskset.destroyForcibly();
        }
    }
}
