// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Lines that one thread adds and others wait for. Thread-safe: all state is guarded by this object,
 * and who waits is woken by each line and by the end.
 */
final class Output {
    /** More than any command prints; what comes after it is counted only. */
    private static final int MAX_LINES = 100_000;

    private final List<String> lines = new ArrayList<>();
    private int dropped;
    private boolean ended;

    synchronized void add(String line) {
        if (lines.size() < MAX_LINES) {
            lines.add(line);
        } else {
            dropped++;
        }
        notifyAll();
    }

    /** There will be no more lines. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** The first line that matches, now or later; empty after the bound, or when all has ended. */
    synchronized Optional<String> await(Predicate<String> wanted, Duration bound)
            throws InterruptedException {
        long until = System.nanoTime() + bound.toNanos();
        int seen = 0;
        while (true) {
            for (; seen < lines.size(); seen++) {
                if (wanted.test(lines.get(seen))) {
                    return Optional.of(lines.get(seen));
                }
            }
            long millis = millisUntil(until);
            if (ended || millis <= 0) {
                return Optional.empty();
            }
            wait(millis);
        }
    }

    /** Whether the end has come within the bound. */
    synchronized boolean awaitEnd(Duration bound) throws InterruptedException {
        long until = System.nanoTime() + bound.toNanos();
        while (!ended) {
            long millis = millisUntil(until);
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }

    private static long millisUntil(long until) {
        return TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    synchronized String text() {
        String text = String.join("\n", lines);
        return dropped == 0 ? text : text + "\n(and " + dropped + " lines more)";
    }
}
