// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Who polls when, and the completions that wait to be handed out.
 *
 * <p>A thread that waits for a command becomes the {@link Poller} if there is none; else it parks,
 * and whoever stops polling wakes one that parked. {@link Progress} polls when nobody waits. What
 * commands end with is put into a queue and handed out when the poller's lock is free, by the
 * poller or by any thread that waits, so that callers' code never runs under the lock and may
 * itself wait for commands.
 *
 * <p>What is posted leaves at once, unless more is about to be posted ({@link Company}).
 *
 * <p>Thread-safe.
 */
public final class Engine implements AutoCloseable {
    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long to wait for the poller before the place of the poller is looked at again. */
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Half a minute at least, of a poller that turns again within 250 ms. */
    private static final int MAX_ASK_ROUNDS = 30_000;

    private final LongSupplier clock;
    private final Poller poller;
    private final Progress progress;
    private final ConcurrentLinkedQueue<Runnable> completions = new ConcurrentLinkedQueue<>();
    private final Company company = new Company();
    private final ConcurrentLinkedDeque<Thread> waiters = new ConcurrentLinkedDeque<>();

    /** Rounds of pollers other than the progress thread. */
    private final AtomicLong rounds = new AtomicLong();

    private volatile boolean closed;

    /**
     * Opens the selector and starts the progress thread.
     *
     * @param name of the progress thread
     * @param clock as {@link System#nanoTime}
     */
    public Engine(String name, LongSupplier clock, SelectorProvider network) throws IOException {
        this.clock = clock;
        this.poller = new Poller(clock, network);
        this.progress = new Progress(this, name);
        progress.start();
    }

    public long nanoTime() {
        return clock.getAsLong();
    }

    /** Registers a channel; the handler is called by the poller. */
    public SelectionKey register(SelectableChannel channel, int operations, ChannelHandler handler)
            throws IOException {
        return poller.register(channel, operations, handler);
    }

    /** The handler's channel is closed. */
    public void unregister(ChannelHandler handler) {
        poller.unregister(handler);
    }

    /** Sets what a channel is waited for. */
    public void setInterest(SelectionKey key, int operations) {
        poller.setInterest(key, operations);
    }

    /** Runs a task as the poller, soon. */
    public void execute(Runnable task) {
        poller.execute(task);
        if (closed) {
            poller.runLate();
            handOut();
        }
    }

    /**
     * Runs a task as the poller, and waits for that: in the calling thread if nobody polls, else in
     * the one that does. The task is short and calls nobody back.
     *
     * <p>The wait is bounded by its rounds and not by a time, of which a process that is stopped
     * would find all gone when it goes on.
     *
     * @throws IllegalStateException if a poller keeps its place for that long: a fault of ours
     */
    public void executeNow(Runnable task) {
        if (poller.isMine()) {
            task.run();
            return;
        }
        AtomicBoolean begun = new AtomicBoolean();
        CountDownLatch done = new CountDownLatch(1);
        Runnable once =
                () -> {
                    if (begun.compareAndSet(false, true)) {
                        try {
                            task.run();
                        } finally {
                            done.countDown();
                        }
                    }
                };
        boolean interrupted = false;
        boolean asked = false;
        for (int round = 0; done.getCount() > 0 && round < MAX_ASK_ROUNDS; round++) {
            if (poller.tryBecome()) {
                try {
                    once.run();
                } finally {
                    poller.leave();
                    wakeNext();
                }
            } else if (!asked) {
                asked = true;
                execute(once);
            } else {
                try {
                    boolean unused = done.await(ASK_NANOS, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (done.getCount() > 0) {
            throw new IllegalStateException(
                    "the poller does not get round to a short task: " + poller.thread());
        }
    }

    /** Runs a task as the poller after a time. */
    public void schedule(long delayNanos, Runnable task) {
        poller.schedule(delayNanos, task);
    }

    /** Runs what tells a caller about the end of its command, outside of locks. */
    public void complete(Runnable completion) {
        completions.add(completion);
    }

    /** Makes the poller, if it is another thread, look around. */
    public void wakeup() {
        poller.wakeup();
    }

    /** Whether the calling thread is the poller. */
    public boolean isPoller() {
        return poller.isMine();
    }

    /** Runs what posts several commands: they leave together afterwards. */
    public void together(Runnable posts) {
        company.together(posts);
    }

    /**
     * Leaves what the calling thread has posted to a later {@link ChannelHandler#flush}, if it is
     * about to post more.
     *
     * @param several whether other commands are on their way already: one that is alone never waits
     * @return false if it is to be sent now
     */
    public boolean leave(ChannelHandler handler, boolean several) {
        return company.leave(handler, several, this::progressPolls);
    }

    private boolean progressPolls() {
        return progress.isThread(poller.thread());
    }

    long rounds() {
        return rounds.getAcquire();
    }

    boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /**
     * Waits until the future is done, polling or parked, and hands out completions meanwhile.
     *
     * @return false if the time ended first, or the engine was closed
     * @throws InterruptedException only if {@code interruptible}; else an interrupt is kept
     */
    public boolean await(CompletableFuture<?> future, long timeoutNanos, boolean interruptible)
            throws InterruptedException {
        Thread me = Thread.currentThread();
        if (future.isDone()) {
            return true; // and what was left goes on waiting for company
        }
        company.asks(me);
        long deadline = clock.getAsLong() + timeoutNanos;
        boolean interrupted = false;
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> signal(me));
        BooleanSupplier enough = () -> future.isDone() || !completions.isEmpty();
        try {
            while (true) {
                handOut();
                if (future.isDone()) {
                    return true;
                }
                if (Thread.interrupted()) {
                    if (interruptible) {
                        throw new InterruptedException("interrupted while waiting for a command");
                    }
                    interrupted = true;
                }
                long remaining = deadline - clock.getAsLong();
                if (remaining <= 0 || closed) {
                    return false;
                }
                pollOrPark(me, enough, remaining);
            }
        } finally {
            wakeNext();
            if (interrupted) {
                me.interrupt();
            }
        }
    }

    private void pollOrPark(Thread me, BooleanSupplier enough, long nanos) {
        if (!closed && poller.tryBecome()) {
            try {
                rounds.incrementAndGet();
                poller.round(enough, nanos);
            } finally {
                poller.leave();
            }
            return;
        }
        waiters.addLast(me);
        try {
            if (progressPolls()) {
                poller.wakeup(); // it makes room; another poller goes on
            }
            if (!enough.getAsBoolean() && (poller.isTaken() || closed)) {
                LockSupport.parkNanos(this, Math.min(nanos, MAX_PARK_NANOS));
            }
        } finally {
            waiters.remove(me);
        }
    }

    private void wakeNext() {
        if (!poller.isTaken()) {
            Thread next = waiters.peekFirst();
            if (next != null) {
                LockSupport.unpark(next);
            }
        }
    }

    private void signal(Thread thread) {
        if (thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
            if (poller.thread() == thread) {
                poller.wakeup();
            }
        }
    }

    /** One stint of the progress thread, until somebody waits. */
    void pollForOthers() {
        BooleanSupplier enough =
                () -> !waiters.isEmpty() || !completions.isEmpty() || !company.isEmpty();
        while (!progress.isClosed() && waiters.isEmpty() && poller.tryBecome()) {
            try {
                flushLeft();
                poller.round(enough, Poller.MAX_SLEEP_NANOS);
            } finally {
                poller.leave();
            }
            wakeNext();
            handOut();
        }
        handOut();
    }

    /** Hands out completions, and sends what was left. */
    private void handOut() {
        if (!completions.isEmpty()) {
            together(
                    () -> {
                        for (Runnable each = completions.poll();
                                each != null;
                                each = completions.poll()) {
                            Poller.run(each);
                        }
                    });
        }
        flushLeft();
    }

    /** Sends what was left. */
    void flushLeft() {
        company.send();
    }

    /** Ends the progress thread, runs what is left and closes the selector. */
    @Override
    public void close() {
        progress.close();
        closed = true;
        poller.close();
        handOut();
    }
}
