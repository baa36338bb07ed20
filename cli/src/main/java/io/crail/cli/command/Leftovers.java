// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.error.CancelledException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Temporary things that exist now and must be removed if the command is ended by a signal. Nothing
 * can be added once they are being removed. Thread-safe.
 */
public final class Leftovers {
    /** Something to remove. */
    @FunctionalInterface
    public interface Removal {
        /** Removes it; it may be gone already. */
        void run() throws IOException;
    }

    private final Set<Removal> removals = new LinkedHashSet<>();
    private boolean ended;

    /**
     * Remembers something to remove.
     *
     * @throws CancelledException if the command is being ended
     */
    public synchronized Removal add(Removal removal) throws CancelledException {
        if (ended) {
            throw new CancelledException("the command is being ended");
        }
        removals.add(removal);
        return removal;
    }

    /** Forgets what no longer needs to be removed. */
    public synchronized void forget(Removal removal) {
        removals.remove(removal);
    }

    /**
     * Removes everything, newest first, as far as possible.
     *
     * @return why something could not be removed
     */
    public List<Throwable> removeAll() {
        List<Removal> left;
        synchronized (this) {
            ended = true;
            left = new ArrayList<>(removals);
            removals.clear();
        }
        List<Throwable> failures = new ArrayList<>();
        for (int i = left.size() - 1; i >= 0; i--) {
            try {
                left.get(i).run();
            } catch (IOException | RuntimeException e) {
                failures.add(e);
            }
        }
        return failures;
    }
}
