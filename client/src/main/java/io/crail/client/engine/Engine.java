// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import io.crail.client.spi.BufferPool;
import io.crail.client.spi.CompletionSource;
import io.crail.client.spi.IoContext;
import io.crail.protocol.polling.SpinPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives a client's I/O in the threads of its callers.
 *
 * <p><b>Waiting.</b> A thread that waits ({@link #await}) tries to become the poller; while it is,
 * it moves bytes for everybody, and it leaves the poller's place before it runs anything of its
 * own. If another thread polls, it parks and is woken when its strand gets a task, or to become the
 * next poller.
 *
 * <p><b>Handing over.</b> Whoever leaves the poller's place, and whoever stops waiting, wakes one
 * parked waiter if nobody polls. A waiter enters the list of waiters before it looks at the
 * poller's lock for the last time, and the leaving poller gives the lock up before it looks at the
 * list: one of them sees the other, so there is never a parked waiter without a poller.
 *
 * <p><b>Dependents</b> of futures, and strands without a waiting owner, go through the {@code
 * ready} queue. It is drained by the progress thread and by threads that wait for a future, and
 * never while the poller's lock is held. So a dependent may block, may wait for other futures
 * (which runs further dependents), may call the client; it cannot stop the I/O of other threads.
 * What it throws ends up in its own future, or in the log.
 *
 * <p><b>Interrupts</b> end a wait, and nothing else: all channels are non-blocking, so an interrupt
 * cannot close them, and an interrupted poller just leaves its place.
 */
public final class Engine implements IoContext {
    /** How a wait ended. */
    public enum Outcome {
        DONE,
        TIMED_OUT,
        INTERRUPTED
    }

    private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A park is bounded, so that a mistake about wake-ups costs time and not a hang. */
    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final EngineSettings settings;
    private final Poller poller;
    private final Progress progress;
    private final Housekeeper housekeeper;
    private final BlockingTasks blocking;
    private final DirectBufferPool buffers;
    private final Counters counters = new Counters();
    private final ConcurrentLinkedDeque<Thread> waiters = new ConcurrentLinkedDeque<>();
    private final ConcurrentLinkedQueue<Runnable> ready = new ConcurrentLinkedQueue<>();
    private final Set<Operation> watched = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean watching = new AtomicBoolean();
    private final LaterFlushes flushes = new LaterFlushes();
    private volatile @Nullable Thread helper;

    private volatile boolean closed;

    public Engine(EngineSettings settings) throws IOException {
        this.settings = settings;
        this.poller = new Poller(settings.clock(), settings.network(), settings.busyPoll());
        this.buffers = new DirectBufferPool(settings.bufferPoolBytes());
        this.progress =
                new Progress(this, "crail-progress-" + settings.clientName(), settings.threads());
        this.housekeeper =
                new Housekeeper("crail-keepalive-" + settings.clientName(), settings.clock());
        this.blocking = new BlockingTasks("crail-files-" + settings.clientName());
        if (settings.threads()) {
            housekeeper.start();
        }
    }

    /** Whether it has threads of its own; if not, nobody may wait in it. */
    public boolean hasThreads() {
        return settings.threads();
    }

    /**
     * Does all there is to do now, for an engine without threads; only between calls of the client,
     * never from a handler or a dependent of a future.
     *
     * @return nanoseconds until there is something to do again, unless a channel gets ready first
     */
    public long turn() {
        assert !settings.threads();
        long pause;
        do {
            pause = housekeeper.turn();
            glance();
            runReady();
            pause = Math.min(pause, poller.nanosToNext(MAX_PARK_NANOS));
        } while (pause <= 0 || hasReady());
        return pause;
    }

    public Counters counters() {
        return counters;
    }

    public Housekeeper housekeeper() {
        return housekeeper;
    }

    public Strand newStrand() {
        return new Strand(this);
    }

    public Operation newOperation(Strand strand, String what, long timeoutNanos) {
        return newOperation(strand, what, "", timeoutNanos);
    }

    /** As {@link #newOperation(Strand, String, long)}; what it does, and on what. */
    public Operation newOperation(Strand strand, String verb, String object, long timeoutNanos) {
        return new Operation(this, strand, verb, object, timeoutNanos);
    }

    /**
     * Waits, polling or parked, until {@code done}; runs the strand's tasks meanwhile.
     *
     * @param strand held by the caller; null: waits for a future, and runs dependents meanwhile
     */
    public Outcome await(
            @Nullable Strand strand,
            BooleanSupplier done,
            long timeoutNanos,
            boolean interruptible) {
        assert settings.threads() : "an engine without threads does the work between calls";
        Thread me = Thread.currentThread();
        long deadline = nanoTime() + timeoutNanos;
        boolean waited = false;
        boolean interrupted = false;
        assert strand == null || strand.isMine();
        Thread outer = helper;
        if (strand == null) {
            helper = me;
        }
        BooleanSupplier enough =
                () -> strand == null ? done.getAsBoolean() || hasReady() : strand.hasTasks();
        try {
            while (true) {
                runOwn(strand);
                if (done.getAsBoolean()) {
                    return Outcome.DONE;
                }
                if (interruptible ? me.isInterrupted() : Thread.interrupted()) {
                    if (interruptible) {
                        return Outcome.INTERRUPTED;
                    }
                    interrupted = true;
                }
                long left = waited ? deadline - nanoTime() : timeoutNanos;
                if (left <= 0) {
                    return Outcome.TIMED_OUT;
                }
                pollOrPark(me, enough, left);
                waited = true;
            }
        } finally {
            if (strand == null) {
                noLongerHelps(me, outer);
            }
            handOver();
            if (interrupted) {
                me.interrupt();
            }
        }
    }

    /** Another helper may have come meanwhile; then it stays. */
    private void noLongerHelps(Thread me, @Nullable Thread outer) {
        if (helper == me) {
            helper = outer == me ? me : null;
        }
        if (hasReady()) {
            progress.wake();
        }
    }

    /** The calling thread asks for the outcome of a future, which may be there already. */
    public void asksForOutcome() {
        flushes.asked();
    }

    /** Waits for a future of this client, running dependents meanwhile. */
    public Outcome awaitFuture(
            CompletableFuture<?> future, long timeoutNanos, boolean interruptible) {
        Thread me = Thread.currentThread();
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> signal(me));
        return await(null, future::isDone, timeoutNanos, interruptible);
    }

    private void runOwn(@Nullable Strand strand) {
        if (strand == null) {
            runReady();
        } else {
            strand.runTasks();
        }
    }

    private void pollOrPark(Thread me, BooleanSupplier enough, long nanos) {
        flushes.runAll();
        if (poller.tryBecome()) {
            try {
                if (!me.isInterrupted()) {
                    poller.round(enough, nanos);
                }
            } finally {
                poller.leave();
            }
            handOver();
            if (closed) {
                LockSupport.parkNanos(this, WATCH_NANOS);
            }
            return;
        }
        boolean behindProgress = poller.isPolling(progress.threadOrSelf(me));
        if (!behindProgress && spin(enough, nanos)) {
            return;
        }
        waiters.addLast(me);
        try {
            if (behindProgress) {
                poller.wakeup();
            }
            if (!enough.getAsBoolean() && poller.isTaken()) {
                LockSupport.parkNanos(this, Math.min(nanos, MAX_PARK_NANOS));
            }
        } finally {
            waiters.remove(me);
        }
    }

    /**
     * Waits beside a poller that looks for messages: as long as it does not sleep, neither do those
     * who wait for what it finds, for one budget. False if there was nothing to do meanwhile.
     */
    private boolean spin(BooleanSupplier enough, long nanos) {
        long start = nanoTime();
        long budget = Math.min(nanos, SpinPolicy.BUDGET_NANOS);
        while (poller.spins() && nanoTime() - start < budget) {
            SpinPolicy.yieldCore();
            if (enough.getAsBoolean() || !poller.isTaken()) {
                return true;
            }
        }
        return false;
    }

    /** Wakes one waiter if nobody polls. */
    private void handOver() {
        if (!poller.isTaken()) {
            Thread next = waiters.peekFirst();
            if (next != null) {
                LockSupport.unpark(next);
            }
        }
    }

    /** Counts what pollers do: if it stands still, nobody polls. */
    long pollerRounds() {
        return poller.rounds();
    }

    @Override
    public boolean willWait() {
        // The progress thread looks after what is left, so there must be a reason for it to run.
        return flushes.mayBeLeftByCaller() && progress.isNeeded();
    }

    @Override
    public void flushLater(Runnable flush) {
        flushes.add(flush);
        if (poller.isPolling(progress.threadOrSelf(Thread.currentThread()))) {
            poller.wakeup();
        }
    }

    /** One stint of the progress thread as poller; false if another thread polls. */
    boolean pollForOthers() {
        flushes.runAll();
        if (!waiters.isEmpty() || !poller.tryBecome()) {
            return false;
        }
        flushes.forgetWhoAsked();
        try {
            BooleanSupplier enough =
                    () ->
                            hasReady()
                                    || !flushes.isEmpty()
                                    || !waiters.isEmpty()
                                    || !progress.isNeeded();
            while (!enough.getAsBoolean()) {
                poller.round(enough, MAX_PARK_NANOS);
            }
        } finally {
            poller.leave();
        }
        handOver();
        return waiters.isEmpty();
    }

    /** Wakes a waiting thread, whether it parks or polls. */
    void signal(Thread thread) {
        if (thread == Thread.currentThread()) {
            return;
        }
        LockSupport.unpark(thread);
        if (poller.isPolling(thread)) {
            poller.wakeup();
        }
    }

    /** Queues a strand that has tasks and no waiting owner. */
    void ready(Strand strand) {
        if (strand.markQueued()) {
            deliver(strand::runQueued);
        }
    }

    /** Runs a task, such as the completion of a future, where dependents may run. */
    public void deliver(Runnable task) {
        ready.add(task);
        Thread current = helper;
        if (current != null) {
            signal(current);
        } else {
            progress.wake();
            poller.wakeup();
        }
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    boolean runReady() {
        boolean any = false;
        for (Runnable task = ready.poll(); task != null; task = ready.poll()) {
            Poller.run(task);
            any = true;
        }
        return any;
    }

    /** Something is under way that nobody may be waiting for; ends with {@link #release}. */
    public void retain() {
        progress.retain();
    }

    public void release() {
        progress.release();
    }

    /** Calls the operation off when its deadline passes, though nobody waits for it. */
    public void watch(Operation operation) {
        watched.add(operation);
        if (watching.compareAndSet(false, true)) {
            schedule(WATCH_NANOS, this::expire);
        }
    }

    public void unwatch(Operation operation) {
        watched.remove(operation);
    }

    private void expire() {
        watched.removeIf(Operation::expire);
        watching.set(false);
        if (!watched.isEmpty() && watching.compareAndSet(false, true)) {
            schedule(WATCH_NANOS, this::expire);
        }
    }

    void wakePoller() {
        poller.wakeup();
    }

    @Override
    public SocketChannel newSocket() throws IOException {
        SocketChannel channel = settings.sockets().open();
        channel.configureBlocking(false);
        return channel;
    }

    @Override
    public Registration register(SelectableChannel channel, int operations, ReadyHandler handler)
            throws IOException {
        return poller.register(channel, operations, handler);
    }

    @Override
    public void addSource(CompletionSource source) {
        poller.addSource(source);
    }

    @Override
    public void removeSource(CompletionSource source) {
        poller.removeSource(source);
    }

    @Override
    public void wakeup() {
        poller.wakeup();
    }

    @Override
    public void execute(Runnable task) {
        poller.execute(task);
    }

    @Override
    public void schedule(long delayNanos, Runnable task) {
        poller.schedule(delayNanos, task);
    }

    @Override
    public boolean executeBlocking(Runnable task) {
        return blocking.execute(task);
    }

    @Override
    public void glance() {
        if (!poller.isPolling(Thread.currentThread()) && poller.tryBecome()) {
            try {
                poller.glance();
            } finally {
                poller.leave();
            }
            handOver();
        }
    }

    @Override
    public void resolve(
            String host,
            int port,
            BiConsumer<@Nullable InetSocketAddress, @Nullable IOException> result) {
        AddressLookup.start(this, settings.clientName(), host, port, result);
    }

    @Override
    public BufferPool buffers() {
        return buffers;
    }

    /** What the buffer pool holds. */
    public DirectBufferPool.Usage bufferUsage() {
        return buffers.usage();
    }

    @Override
    public long nanoTime() {
        return settings.clock().getAsLong();
    }

    @Override
    public long connectTimeoutNanos() {
        return settings.connectTimeoutNanos();
    }

    @Override
    public Map<String, String> transportOptions() {
        return settings.transportOptions();
    }

    @Override
    public void countDamage() {
        counters.checksumFailures.increment();
    }

    /** Ends the threads and closes the selector; everything on it must have been closed before. */
    public void close() {
        housekeeper.close();
        blocking.close();
        progress.close();
        closed = true;
        poller.close();
        runReady();
    }
}
