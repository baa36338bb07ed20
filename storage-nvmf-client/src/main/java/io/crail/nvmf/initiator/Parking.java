// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeQueueFullException;
import io.crail.nvmf.initiator.error.NvmeTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which life of the controller takes commands now, and the commands that wait for the next one
 * while there is none. A limited number waits, each until its deadline. Thread-safe; commands are
 * posted and ended outside of the lock.
 */
final class Parking {
    private final String name;
    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<RetriedCommand> parked = new ArrayDeque<>();
    private @Nullable Association current;
    private @Nullable NvmeException closed;

    Parking(String name, int limit) {
        this.name = name;
        this.limit = limit;
    }

    /** Posts a command to the life that is, or parks it until the next one. */
    void submit(RetriedCommand command) {
        Association association;
        NvmeException refusal = null;
        lock.lock();
        try {
            association = current;
            if (association == null) {
                refusal = closed;
                if (refusal == null && parked.size() >= limit) {
                    refusal =
                            new NvmeQueueFullException(
                                    parked.size() + " commands wait for " + name + " already");
                }
                if (refusal == null) {
                    parked.addLast(command);
                    return;
                }
            }
        } finally {
            lock.unlock();
        }
        if (association != null) {
            association.ioQueue().post(command);
        } else {
            command.ended(refusal);
        }
    }

    /** Whether a command of this thread with so many bytes would take a rider along. */
    boolean takesRiders(int bytes) {
        Association association;
        lock.lock();
        try {
            association = current;
        } finally {
            lock.unlock();
        }
        return association != null && association.ioQueue().takesRiders(bytes);
    }

    /** A new life takes commands, those first that waited. */
    void begin(Association association) {
        List<RetriedCommand> all;
        lock.lock();
        try {
            current = association;
            closed = null;
            all = new ArrayList<>(parked);
            parked.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(each -> association.ioQueue().post(each));
    }

    /** That life ended; returns whether it was the current one. */
    boolean interrupt(Association association) {
        lock.lock();
        try {
            if (current != association) {
                return false;
            }
            current = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** From now on commands fail, unless a new life begins. */
    void close(NvmeException cause) {
        List<RetriedCommand> all;
        lock.lock();
        try {
            current = null;
            closed = cause;
            all = new ArrayList<>(parked);
            parked.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(each -> each.ended(cause));
    }

    /** From now on commands wait again. */
    void reopen() {
        lock.lock();
        try {
            closed = null;
        } finally {
            lock.unlock();
        }
    }

    /** Ends commands whose time is over. */
    void expire(long now) {
        List<RetriedCommand> late = new ArrayList<>();
        lock.lock();
        try {
            for (Iterator<RetriedCommand> i = parked.iterator(); i.hasNext(); ) {
                RetriedCommand each = i.next();
                if (now - each.deadline() >= 0) {
                    i.remove();
                    late.add(each);
                }
            }
        } finally {
            lock.unlock();
        }
        for (RetriedCommand each : late) {
            each.ended(
                    new NvmeTimeoutException(
                            each.what() + " was not sent: " + name + " did not come back in time"));
        }
    }

    @Nullable Association current() {
        lock.lock();
        try {
            return current;
        } finally {
            lock.unlock();
        }
    }
}
