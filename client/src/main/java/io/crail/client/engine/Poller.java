// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import io.crail.client.spi.CompletionSource;
import io.crail.client.spi.IoContext.ReadyHandler;
import io.crail.client.spi.IoContext.Registration;
import io.crail.protocol.polling.SharedCore;
import io.crail.protocol.polling.SpinPolicy;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one selector of a client, its timers and small tasks. Whoever holds {@link #tryBecome the
 * lock} is the poller and carries completions for everybody. Handlers run under the lock and are
 * short: they move bytes and pass results to strands.
 *
 * <p>A change made by another thread (a task, an interest, a timer) is published first and the
 * poller's presence is looked at second; the poller announces itself first and looks for changes
 * second. So either the poller sees the change before it sleeps, or the other thread sees the
 * poller and wakes the selector, whose wake-up is sticky.
 */
final class Poller {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

    /** Sleeping longer gains nothing; a bound makes any mistake about wake-ups harmless. */
    private static final long MAX_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Looks at single channels before the others have their turn. */
    private static final int LOOKS_BEFORE_SELECT = 16;

    /** Asking more channels than this costs more than the selector. */
    private static final int MAX_ASKED = 4;

    private final Selector selector;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Timers timers = new Timers();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final List<CompletionSource> sources = new CopyOnWriteArrayList<>();

    /** Handlers that may be asked directly. */
    private final List<Looking> looking = new CopyOnWriteArrayList<>();

    /** Guarded by the lock, as are {@code core} and {@code looks}. */
    private final SpinPolicy spin;

    private final SharedCore core = new SharedCore();

    /** Written under the lock only. */
    private final AtomicLong rounds = new AtomicLong();

    /** Whether the poller looks instead of sleeping. */
    private volatile boolean spins;

    /** Looks since the selector was asked. */
    private int looks;

    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    private record Looking(SelectableChannel channel, ReadyHandler handler) {}

    Poller(LongSupplier clock, SelectorProvider network, boolean busyPoll) throws IOException {
        this.selector = network.openSelector();
        this.clock = clock;
        this.spin = new SpinPolicy(busyPoll);
    }

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

    /** Counts the rounds of all pollers. */
    long rounds() {
        return rounds.getAcquire();
    }

    /** Whether the poller looks for messages instead of sleeping, because these come soon. */
    boolean spins() {
        return spins;
    }

    boolean isTaken() {
        return lock.isLocked();
    }

    /** Whether that thread polls now. */
    boolean isPolling(Thread candidate) {
        return thread == candidate;
    }

    void addSource(CompletionSource source) {
        sources.add(source);
        wakeup();
    }

    void removeSource(CompletionSource source) {
        sources.remove(source);
    }

    void execute(Runnable task) {
        tasks.add(task);
        wakeup();
    }

    void schedule(long delayNanos, Runnable task) {
        if (timers.add(clock.getAsLong() + delayNanos, task)) {
            wakeup();
        }
    }

    /** Makes the poller, if there is one and it is another thread, look around. */
    void wakeup() {
        Thread poller = thread;
        if (poller != null && poller != Thread.currentThread()) {
            selector.wakeup();
        }
    }

    Registration register(SelectableChannel channel, int operations, ReadyHandler handler)
            throws IOException {
        SelectionKey key;
        try {
            key = channel.register(selector, operations, handler);
        } catch (ClosedSelectorException e) {
            throw new IOException("the client is closed", e);
        }
        looking.removeIf(each -> !each.channel.isOpen());
        looking.add(new Looking(channel, handler));
        wakeup();
        return interest -> {
            try {
                if (key.interestOps() != interest) {
                    key.interestOps(interest);
                    wakeup();
                }
            } catch (CancelledKeyException e) {
                LOG.trace("The channel was closed meanwhile.", e);
            }
        };
    }

    /**
     * One round: tasks, timers, ready channels and sources; waits for something to happen for at
     * most {@code maxNanos} or until {@code enough}. Only for the poller.
     */
    void round(BooleanSupplier enough, long maxNanos) {
        assert lock.isHeldByCurrentThread();
        rounds.setRelease(rounds.getPlain() + 1);
        long now = clock.getAsLong();
        boolean ran = runDue(now);
        if (!ran && !enough.getAsBoolean() && !spin(enough, now, maxNanos)) {
            sleep(enough, maxNanos);
        }
    }

    /** Looks again and again for a bounded time; false if there was nothing to find. */
    private boolean spin(BooleanSupplier enough, long start, long maxNanos) {
        long budget = Math.min(spin.budget(start), maxNanos);
        if (spins != (budget > 0)) {
            spins = !spins;
        }
        long now = start;
        core.begin();
        while (now - start < budget) {
            SpinPolicy.yieldCore();
            core.yielded(clock.getAsLong() - now);
            boolean found = look() > 0;
            now = clock.getAsLong();
            if (found) {
                spin.found(now, now - start);
                core.found();
                return true;
            }
            if (!tasks.isEmpty() || enough.getAsBoolean()) {
                return true;
            }
            if (core.isToBeLeft()) {
                return false; // neither found nor missed: the wait may well be short
            }
        }
        if (budget > 0) {
            spin.missed(now);
        }
        return false;
    }

    /** Tasks, timers and what is ready, without waiting. Only for the poller. */
    void glance() {
        assert lock.isHeldByCurrentThread();
        runDue(clock.getAsLong());
        select(0);
        for (CompletionSource source : sources) {
            source.poll();
        }
    }

    /** Nanoseconds until a task or timer is due, at most {@code limit}. */
    long nanosToNext(long limit) {
        return tasks.isEmpty() ? timers.nanosToNext(clock.getAsLong(), limit) : 0;
    }

    /** Tasks, and the timers that are due by then: one that becomes due meanwhile is next. */
    private boolean runDue(long now) {
        boolean any = false;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            run(task);
            any = true;
        }
        for (Runnable task = timers.next(now); task != null; task = timers.next(now)) {
            run(task);
            any = true;
        }
        return any;
    }

    /**
     * Looks once: at those who expect something, else, and every so often, at all. Asking a few
     * channels is cheaper than asking the selector and then the channel.
     */
    private int look() {
        int events = 0;
        int asked = 0;
        for (Looking each : looking) {
            int found = each.handler.look();
            if (found != ReadyHandler.EXPECTS_NOTHING) {
                events += found;
                asked++;
            }
        }
        for (CompletionSource source : sources) {
            events += source.poll();
        }
        if (asked == 0 || asked > MAX_ASKED || ++looks >= LOOKS_BEFORE_SELECT) {
            looks = 0;
            events += select(0);
        }
        return events;
    }

    private int sleep(BooleanSupplier enough, long maxNanos) {
        long nanos = timers.nanosToNext(clock.getAsLong(), Math.min(maxNanos, MAX_SLEEP_NANOS));
        for (CompletionSource source : sources) {
            if (!source.arm()) {
                nanos = Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        if (nanos <= 0 || !tasks.isEmpty() || enough.getAsBoolean()) {
            return 0;
        }
        // Rounded up: a sleep that ends before its time would only come round again.
        return select((nanos + 999_999) / 1_000_000);
    }

    private int select(long millis) {
        if (closed) {
            return 0;
        }
        try {
            return millis == 0
                    ? selector.selectNow(Poller::dispatch)
                    : selector.select(Poller::dispatch, millis);
        } catch (IOException e) {
            throw new IllegalStateException("the selector of the client failed", e);
        } catch (ClosedSelectorException e) {
            LOG.trace("The client was closed meanwhile.", e);
            return 0;
        }
    }

    private static void dispatch(SelectionKey key) {
        try {
            ((ReadyHandler) key.attachment()).ready(key.readyOps());
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
            LOG.error("A task of the client failed.", e);
        }
    }

    /** Runs what is left and closes the selector, which lets go of closed channels. */
    void close() {
        lock.lock();
        try {
            runDue(clock.getAsLong());
            select(0);
            closed = true;
            selector.close();
        } catch (IOException e) {
            LOG.warn("The selector of a client could not be closed.", e);
        } finally {
            lock.unlock();
        }
    }
}
