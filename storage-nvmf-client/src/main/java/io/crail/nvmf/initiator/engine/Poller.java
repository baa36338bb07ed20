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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The selector, its timers and tasks. Who holds the lock is the poller; it alone calls handlers.
 *
 * <p>No wake-up is lost: a change (a task, an interest, a timer) is published first and the poller
 * looked at second; the poller announces itself first and looks for changes second; a wake-up of
 * the selector stays until its next sleep. Every sleep has a bound besides.
 */
final class Poller {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

    /** Sleeping longer gains nothing; a bound makes any mistake about wake-ups harmless. */
    static final long MAX_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Looks at single channels before the selector has its turn. */
    private static final int LOOKS_BEFORE_SELECT = 16;

    private final Selector selector;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Timers timers = new Timers();
    private final SpinBudget spin = new SpinBudget();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final List<ChannelHandler> handlers = new CopyOnWriteArrayList<>();
    private volatile @Nullable Thread thread;

    Poller(LongSupplier clock, SelectorProvider network) throws IOException {
        this.selector = network.openSelector();
        this.clock = clock;
    }

    /** Makes the calling thread the poller, unless there is one. */
    boolean tryBecome() {
        if (!lock.tryLock()) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    void leave() {
        thread = null;
        lock.unlock();
    }

    boolean isTaken() {
        return lock.isLocked();
    }

    /** Whether the calling thread is the poller. */
    boolean isMine() {
        return lock.isHeldByCurrentThread();
    }

    /** The poller; null if there is none. */
    @Nullable Thread thread() {
        return thread;
    }

    /** Makes the poller, if it is another thread, look around. */
    void wakeup() {
        Thread current = thread;
        if (current != null && current != Thread.currentThread()) {
            selector.wakeup();
        }
    }

    SelectionKey register(SelectableChannel channel, int operations, ChannelHandler handler)
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

    void unregister(ChannelHandler handler) {
        handlers.remove(handler);
        wakeup(); // only a selection lets go of the descriptor
    }

    void setInterest(SelectionKey key, int operations) {
        try {
            if (key.interestOps() != operations) {
                key.interestOps(operations);
                wakeup();
            }
        } catch (CancelledKeyException e) {
            LOG.trace("The channel was closed meanwhile.", e);
        }
    }

    void execute(Runnable task) {
        tasks.add(task);
        wakeup();
    }

    void schedule(long delayNanos, Runnable task) {
        timers.add(clock.getAsLong() + delayNanos, task);
        wakeup();
    }

    /**
     * One round: tasks, timers and ready channels; waits for something to happen for at most {@code
     * maxNanos} or until {@code enough}. Only for the poller.
     */
    void round(BooleanSupplier enough, long maxNanos) {
        // Those that tasks leave behind come in the next round, after what has ended is handed out.
        boolean ran = runDue(tasks.size());
        if (!ran && !enough.getAsBoolean() && !look(enough, maxNanos)) {
            sleep(enough, maxNanos);
        }
    }

    private boolean runDue(int mostTasks) {
        boolean any = false;
        for (int i = 0; i < mostTasks; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
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
                spin.ended(true, System.nanoTime() - start);
                return true;
            }
            if (!tasks.isEmpty() || enough.getAsBoolean()) {
                return true;
            }
            SpinBudget.yieldCore();
            now = System.nanoTime();
        }
        if (budget > 0) {
            spin.ended(false, now - start);
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
                    ? selector.selectNow(Poller::dispatch)
                    : selector.select(Poller::dispatch, millis);
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

    /** Runs a task that must not end the thread it runs in. */
    static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("A task of the initiator failed.", e);
        }
    }

    /** What comes after the end is run by those who bring it: channels are to be closed. */
    void runLate() {
        lock.lock();
        try {
            boolean unused = runDue(Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    /** Runs what is left, lets go of closed channels, and closes the selector. */
    void close() {
        lock.lock();
        try {
            boolean unused = runDue(Integer.MAX_VALUE);
            select(0);
            selector.close();
        } catch (IOException e) {
            LOG.warn("The selector of an initiator could not be closed.", e);
        } finally {
            lock.unlock();
        }
    }
}
