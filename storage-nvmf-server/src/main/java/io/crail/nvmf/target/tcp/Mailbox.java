// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What other threads leave for an event loop: slots that were carried out, in a list that is pushed
 * by compare-and-set and taken whole, so that it costs no memory, and tasks in a queue. Any thread
 * puts in, the loop's driver takes out. What was written before putting in is visible after taking
 * out.
 */
final class Mailbox {
    private final AtomicReference<@Nullable Slot> completed = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Puts in a slot; it is in no other list. */
    void put(Slot slot) {
        Slot first;
        do {
            first = completed.get();
            slot.next = first;
        } while (!completed.compareAndSet(first, slot));
    }

    void put(Runnable task) {
        tasks.add(task);
    }

    boolean isEmpty() {
        return completed.get() == null && tasks.isEmpty();
    }

    /** All slots that are in, as a list in the order in which they were put in. */
    @Nullable Slot takeCompleted() {
        Slot result = null;
        Slot rest = completed.getAndSet(null);
        while (rest != null) {
            Slot next = rest.next;
            rest.next = result;
            result = rest;
            rest = next;
        }
        return result;
    }

    @Nullable Runnable takeTask() {
        return tasks.poll();
    }
}
