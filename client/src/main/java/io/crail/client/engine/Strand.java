// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose turn it is: tasks handed to a strand run one at a time, so what belongs to the strand (the
 * state of one call, of one stream) needs no locks.
 *
 * <p>A strand has no thread. If it has an owner (who has {@link #enter}ed), its tasks run when the
 * owner waits in {@link Engine#await}, in the thread that wants their outcome: verifying a block or
 * decoding a long answer then costs nobody else. Otherwise they run on the progress thread, or in a
 * thread that waits for a future.
 *
 * <p>No wake-up is lost. {@link #execute} adds the task first and looks for an owner second; the
 * owner announces itself first and looks for tasks second, when it waits and once more after {@link
 * #exit}; so at least one of them sees the other. If the executor saw no owner, it queues the
 * strand with the engine; whoever takes it from there and finds it owned leaves it to the owner.
 */
public final class Strand implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(Strand.class);

    private final Engine engine;
    private final ReentrantLock turn = new ReentrantLock();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean queued = new AtomicBoolean();
    private volatile @Nullable Thread waiter;

    Strand(Engine engine) {
        this.engine = engine;
    }

    /**
     * Takes the turn; waits only while another call holds it. Re-entrant. Tasks that come from now
     * on are left to the owner.
     */
    public void enter() {
        turn.lock();
        waiter = Thread.currentThread();
    }

    /** Gives the turn up. */
    public void exit() {
        if (turn.getHoldCount() == 1) {
            waiter = null;
        }
        turn.unlock();
        if (!turn.isHeldByCurrentThread() && !tasks.isEmpty()) {
            engine.ready(this);
        }
    }

    public boolean isMine() {
        return turn.isHeldByCurrentThread();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        Thread owner = waiter;
        if (owner != null) {
            engine.signal(owner);
        } else {
            engine.ready(this);
        }
    }

    /** Takes a turn and runs the tasks there are, in the calling thread. */
    public void drain() {
        enter();
        try {
            runTasks();
        } finally {
            exit();
        }
    }

    boolean hasTasks() {
        return !tasks.isEmpty();
    }

    boolean markQueued() {
        return queued.compareAndSet(false, true);
    }

    /** Runs the tasks there are; only by the owner. */
    void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("A continuation failed; the call it belongs to may time out.", e);
            }
        }
    }

    /** Takes a turn on behalf of the engine, if nobody else has it. */
    void runQueued() {
        queued.set(false);
        if (turn.tryLock()) {
            try {
                runTasks();
            } finally {
                exit();
            }
        }
    }
}
