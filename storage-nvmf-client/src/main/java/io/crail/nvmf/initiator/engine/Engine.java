// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One selector, its timers and tasks, and the completions that wait to be handed out.
 *
 * <p>Who holds the lock is the <em>poller</em>: it alone reads from channels, runs timers and
 * tasks, and ends commands. A thread that waits for a command becomes the poller if there is none;
 * else it parks, and whoever stops polling wakes one that parked. {@link Progress} polls when
 * nobody waits. What commands end with is put into a queue and handed out after the lock is free,
 * by the poller or by any thread that waits, so that callers' code never runs under the lock and
 * may itself wait for commands.
 *
 * <p>No wake-up is lost: a task is published first and the poller looked at second, the poller
 * announces itself first and looks for tasks second, and a wake-up of the selector stays until its
 * next sleep. Every sleep has a bound besides.
 *
 * <p>Thread-safe.
 */
public final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** Sleeping longer gains nothing; a bound makes any mistake about wake-ups harmless. */
    private static final long MAX_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Looks at single channels before the selector has its turn. */
    private static final int LOOKS_BEFORE_SELECT = 16;

    private final Selector selector;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Timers timers = new Timers();
    private final SpinBudget spin = new SpinBudget();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> completions = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ChannelHandler> left = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedDeque<Thread> waiters = new ConcurrentLinkedDeque<>();
    private final List<ChannelHandler> handlers = new CopyOnWriteArrayList<>();
    private final Progress progress;

    /** Rounds of pollers other than the progress thread. */
    private final AtomicLong rounds = new AtomicLong();

    private volatile @Nullable Thread poller;

    /** The thread that hands out completions now; the last one, if there are several. */
    private volatile @Nullable Thread courier;

    private volatile boolean closed;

    /**
     * Opens the selector and starts the progress thread.
     *
     * @param name of the progress thread
     * @param clock as {@link System#nanoTime}
     */
    public Engine(String name, LongSupplier clock, SelectorProvider network) throws IOException {
        this.selector = network.openSelector();
        this.clock = clock;
        this.progress = new Progress(this, name);
        progress.start();
    }

    public long nanoTime() {
        return clock.getAsLong();
    }

    /** Registers a channel; the handler is called by the poller. */
    public SelectionKey register(SelectableChannel channel, int operations, ChannelHandler handler)
            throws IOException {
        try {
            SelectionKey key = channel.register(selector, operations, handler);
            handlers.add(handler);
            wakeup();
            return key;
        } catch (ClosedSelectorException e) {
            throw new IOException("the initiator is closed", e);
        }
    }

    /** The handler's channel is closed. */
    public void unregister(ChannelHandler handler) {
        handlers.remove(handler);
        wakeup(); // only a selection lets go of the descriptor
    }

    /** Sets what a channel is waited for; by the poller or another thread. */
    public void setInterest(SelectionKey key, int operations) {
        try {
            if (key.interestOps() != operations) {
                key.interestOps(operations);
                wakeup();
            }
        } catch (CancelledKeyException e) {
            LOG.trace("The channel was closed meanwhile.", e);
        }
    }

    /** Runs a task as the poller, soon. */
    public void execute(Runnable task) {
        tasks.add(task);
        wakeup();
        if (closed) {
            runLate();
        }
    }

    /** What comes after the end is run by those who bring it: channels are to be closed. */
    private void runLate() {
        lock.lock();
        try {
            runDue();
        } finally {
            lock.unlock();
        }
        handOut();
    }

    /** Runs a task as the poller after a time. */
    public void schedule(long delayNanos, Runnable task) {
        timers.add(clock.getAsLong() + delayNanos, task);
        wakeup();
    }

    /** Runs what tells a caller about the end of its command, outside of locks. */
    public void complete(Runnable completion) {
        completions.add(completion);
    }

    /**
     * Whether the calling thread may leave to {@link ChannelHandler#flush} what it posts: it hands
     * out completions now and will flush after the last one, so that all that is posted by them
     * leaves in one write. If so, the handler is noted.
     */
    public boolean mayLeave(ChannelHandler handler) {
        if (courier != Thread.currentThread()) {
            return false;
        }
        left.add(handler);
        return true;
    }

    /** Whether the calling thread is the poller. */
    public boolean isPoller() {
        return lock.isHeldByCurrentThread();
    }

    long rounds() {
        return rounds.getAcquire();
    }

    boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /** Makes the poller, if it is another thread, look around. */
    public void wakeup() {
        Thread current = poller;
        if (current != null && current != Thread.currentThread()) {
            selector.wakeup();
        }
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
        long deadline = clock.getAsLong() + timeoutNanos;
        boolean interrupted = false;
        if (!future.isDone()) {
            CompletableFuture<?> unused = future.whenComplete((value, failure) -> signal(me));
        }
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
        if (!closed && lock.tryLock()) {
            try {
                poller = me;
                rounds.incrementAndGet();
                round(enough, nanos);
            } finally {
                poller = null;
                lock.unlock();
            }
            return;
        }
        waiters.addLast(me);
        try {
            if (progress.isThread(poller)) {
                selector.wakeup(); // it makes room; another poller goes on
            }
            if (!enough.getAsBoolean() && (lock.isLocked() || closed)) {
                LockSupport.parkNanos(this, Math.min(nanos, MAX_PARK_NANOS));
            }
        } finally {
            waiters.remove(me);
        }
    }

    private void wakeNext() {
        if (!lock.isLocked()) {
            Thread next = waiters.peekFirst();
            if (next != null) {
                LockSupport.unpark(next);
            }
        }
    }

    private void signal(Thread thread) {
        if (thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
            if (poller == thread) {
                selector.wakeup();
            }
        }
    }

    /** One stint of the progress thread, until somebody waits. */
    void pollForOthers() {
        BooleanSupplier enough = () -> !waiters.isEmpty() || !completions.isEmpty();
        while (!progress.isClosed() && waiters.isEmpty() && lock.tryLock()) {
            try {
                poller = Thread.currentThread();
                round(enough, MAX_SLEEP_NANOS);
            } finally {
                poller = null;
                lock.unlock();
            }
            wakeNext();
            handOut();
        }
        handOut();
    }

    /** Hands out completions, and sends what was posted meanwhile. */
    private void handOut() {
        if (completions.isEmpty()) {
            flushLeft();
            return;
        }
        Thread me = Thread.currentThread();
        boolean nested = courier == me;
        courier = me;
        try {
            for (Runnable each = completions.poll(); each != null; each = completions.poll()) {
                run(each);
            }
        } finally {
            courier = nested ? me : null;
            flushLeft();
        }
    }

    private void flushLeft() {
        for (ChannelHandler each = left.poll(); each != null; each = left.poll()) {
            each.flush();
        }
    }

    private void round(BooleanSupplier enough, long maxNanos) {
        boolean ran = runDue();
        if (!ran && !enough.getAsBoolean() && !look(enough, maxNanos)) {
            sleep(enough, maxNanos);
        }
    }

    private boolean runDue() {
        boolean any = false;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            run(task);
            any = true;
        }
        long now = clock.getAsLong();
        for (Runnable task = timers.next(now); task != null; task = timers.next(now)) {
            run(task);
            any = true;
        }
        return any;
    }

    /** Looks again and again for a bounded time; false if there was nothing to find. */
    private boolean look(BooleanSupplier enough, long maxNanos) {
        long start = System.nanoTime();
        long budget = Math.min(spin.budget(start), maxNanos);
        long now = start;
        int looks = 0;
        while (now - start < budget) {
            int found = lookOnce(++looks % LOOKS_BEFORE_SELECT == 0);
            if (found == ChannelHandler.EXPECTS_NOTHING) {
                return false;
            }
            if (found > 0) {
                spin.found();
                return true;
            }
            if (!tasks.isEmpty() || enough.getAsBoolean()) {
                return true;
            }
            SpinBudget.yieldCore();
            now = System.nanoTime();
        }
        if (budget > 0) {
            spin.missed(now);
        }
        return false;
    }

    private int lookOnce(boolean select) {
        int events = ChannelHandler.EXPECTS_NOTHING;
        for (ChannelHandler each : handlers) {
            int found = each.look();
            if (found != ChannelHandler.EXPECTS_NOTHING) {
                events = Math.max(events, 0) + found;
            }
        }
        if (select && events != ChannelHandler.EXPECTS_NOTHING) {
            events += select(0);
        }
        return events;
    }

    private void sleep(BooleanSupplier enough, long maxNanos) {
        long nanos = timers.nanosToNext(clock.getAsLong(), Math.min(maxNanos, MAX_SLEEP_NANOS));
        if (nanos > 0 && tasks.isEmpty() && !enough.getAsBoolean()) {
            // Rounded up: a sleep that ends before its time would only come round again.
            select((nanos + 999_999) / 1_000_000);
        }
    }

    private int select(long millis) {
        try {
            return millis == 0
                    ? selector.selectNow(Engine::dispatch)
                    : selector.select(Engine::dispatch, millis);
        } catch (IOException e) {
            throw new IllegalStateException("the selector of the initiator failed", e);
        } catch (ClosedSelectorException e) {
            LOG.trace("The initiator was closed meanwhile.", e);
            return 0;
        }
    }

    private static void dispatch(SelectionKey key) {
        try {
            ((ChannelHandler) key.attachment()).ready(key.readyOps());
        } catch (CancelledKeyException e) {
            LOG.trace("The channel was closed meanwhile.", e);
        } catch (RuntimeException | Error e) {
            LOG.error("A handler of a channel failed; the channel stays as it is.", e);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("A task of the initiator failed.", e);
        }
    }

    /** Ends the progress thread, runs what is left and closes the selector. */
    @Override
    public void close() {
        progress.close();
        lock.lock();
        try {
            runDue();
            select(0);
            closed = true;
            selector.close();
        } catch (IOException e) {
            LOG.warn("The selector of an initiator could not be closed.", e);
        } finally {
            lock.unlock();
        }
        handOut();
    }
}
