// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.protocol.polling.SharedCore;
import io.crail.protocol.polling.SpinPolicy;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of the server's one thread.
 *
 * <p><b>A turn</b>: wait for ready connections; read and handle what has arrived on each; run tasks
 * of other threads; {@link RequestHandler#tick} if due; {@link RequestHandler#batchEnd}; send every
 * connection's answers with one write each. Requests of all connections that arrived together so
 * share one write to the log, and nobody waits for company.
 *
 * <p><b>Who waits for whom</b>: a request waits at most for the turn under way and its own. So a
 * turn is kept short by giving each connection one share ({@link RpcOptions#bytesPerTurn}) in it,
 * and what a busy connection left over of the turn before comes after everybody else's requests.
 * Nobody starves, because each turn serves every connection that has something. What was measured
 * is in ADR 2.
 *
 * <p><b>Other threads</b> touch the task queue, the released ticket, and flags. They wake the
 * selector once until the loop has noticed: the flag {@code woken} is cleared <em>before</em> queue
 * and ticket are looked at, so what is added later wakes it again.
 *
 * <p><b>Failures</b>: what goes wrong with a connection ends that connection; an exception of the
 * handler is logged and the loop goes on; an {@link Error} ends the loop, because memory or code
 * can no longer be relied on.
 */
final class EventLoop {
    /** Few enough to be nothing, and so many that what calls them may be interpreted. */
    private static final int TURNS_PER_CALL = 256;

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long RETRY_TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int TASKS_PER_TURN = 256;

    private final Selector selector;
    private final RequestHandler handler;
    private final RpcOptions options;
    private final RateLimitedLog misbehaviour = new RateLimitedLog(LOG);
    private final RateLimitedLog defects = new RateLimitedLog(LOG);
    private final BufferPool buffers = new BufferPool();
    private final Traffic traffic = new Traffic();

    /** In order of arrival, so that the same events take the same course. */
    private final Set<SocketConnection> connections = new LinkedHashSet<>();

    /** Those whose hello is not complete, the oldest first. */
    private final Set<SocketConnection> strangers = new LinkedHashSet<>();

    private List<SocketConnection> dirty = new ArrayList<>();
    private List<SocketConnection> dirtyBefore = new ArrayList<>();
    private List<SocketConnection> queued = new ArrayList<>();
    private List<SocketConnection> queuedBefore = new ArrayList<>();
    private final List<SocketConnection> held = new ArrayList<>();
    private final List<SocketConnection> gone = new ArrayList<>();
    private final List<Acceptor> acceptingLater = new ArrayList<>();
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final HotConnections hot = new HotConnections();
    private final SpinPolicy spinning;
    private final SharedCore core = new SharedCore();

    private final LongSupplier nanoTime;
    private long now;
    private long nextTick;
    private long nextSweep;
    private long buffered;

    private final BlockingQueue<Runnable> tasks;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicLong released = new AtomicLong();
    private final AtomicBoolean discardHeld = new AtomicBoolean();
    private volatile boolean stopping;

    EventLoop(
            Selector selector, RequestHandler handler, RpcOptions options, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.now = nanoTime.getAsLong();
        this.nextTick = now;
        this.nextSweep = now + SWEEP_NANOS;
        this.selector = selector;
        this.handler = handler;
        this.options = options;
        this.spinning = new SpinPolicy(options.busyPoll());
        this.tasks = new ArrayBlockingQueue<>(options.maxTasks());
    }

    // ---- For any thread.

    boolean execute(Runnable task) {
        if (stopping || !tasks.offer(task)) {
            return false;
        }
        wakeup();
        return true;
    }

    void release(long ticket) {
        released.accumulateAndGet(ticket, Math::max);
        wakeup();
    }

    void discardHeld() {
        discardHeld.set(true);
        wakeup();
    }

    void stop() {
        stopping = true;
        selector.wakeup();
    }

    void wakeup() {
        if (!woken.getAndSet(true)) {
            selector.wakeup();
        }
    }

    /** Counts for any thread. */
    Traffic traffic() {
        return traffic;
    }

    // ---- For the loop's thread.

    /** Runs until stopped; closes all connections at the end, whatever ended it. */
    void run() throws IOException {
        try {
            while (!stopping) {
                turns();
            }
        } finally {
            stopping = true;
            for (SocketConnection each : new ArrayList<>(connections)) {
                each.close("the namenode stops");
            }
            reportGone();
        }
    }

    /**
     * Some turns. A loop that never ends is compiled while it runs, and interpreted again for long
     * if an assumption of that code turns out wrong; a method that is called anew is not.
     */
    private void turns() throws IOException {
        for (int i = 0; i < TURNS_PER_CALL && !stopping; i++) {
            if (spin()) {
                finishTurn(takeQueued());
            } else {
                turn();
            }
        }
    }

    /** One turn; waits for events at most so long as {@link #waitMillis} says. */
    void turn() throws IOException {
        long wait = waitMillis();
        List<SocketConnection> leftOver = takeQueued();
        if (wait == 0) {
            selector.selectNow(onReady);
        } else {
            selector.select(onReady, wait);
        }
        now = nanoTime.getAsLong();
        finishTurn(leftOver);
    }

    private List<SocketConnection> takeQueued() {
        List<SocketConnection> taken = queued;
        queued = queuedBefore;
        queuedBefore = taken;
        return taken;
    }

    /** What comes behind the events; {@link #now} is read already. */
    private void finishTurn(List<SocketConnection> leftOver) {
        handle(leftOver);
        woken.set(false);
        runTasks();
        tick();
        if (now - nextSweep >= 0) {
            nextSweep = now + SWEEP_NANOS;
            sweep();
        }
        reportGone();
        endBatch();
        sendReleased();
        hot.endTurn();
    }

    /**
     * Looks for requests for a while, after a turn that had some; what it finds is handled. False
     * if it found nothing, or is not worth it: then the selector is asked.
     */
    private boolean spin() throws IOException {
        if (!hot.hadRequests()) {
            return false;
        }
        long start = nanoTime.getAsLong();
        if (waitMillis(start) == 0) {
            return false;
        }
        long budget = spinning.budget(start);
        long current = start;
        core.begin();
        while (current - start < budget) {
            if (current != start || !hot.isBusy()) {
                SpinPolicy.yieldCore();
                core.yielded(nanoTime.getAsLong() - current);
            }
            boolean found =
                    hot.isTimeForOthers(current) ? selector.selectNow(onReady) > 0 : hot.look();
            current = nanoTime.getAsLong();
            if (found) {
                spinning.found(current, current - start);
                core.found();
                now = current;
                return true;
            }
            if (woken.get() || stopping) {
                now = current;
                return true; // the selector may have forgotten the wake-up by now
            }
            if (core.isToBeLeft()) {
                return false; // neither found nor missed: the wait may well be short
            }
        }
        if (budget > 0) {
            spinning.missed(current);
        }
        return false;
    }

    private void sweep() {
        for (SocketConnection each : new ArrayList<>(connections)) {
            each.sweep();
        }
        for (Acceptor each : acceptingLater) {
            each.resume();
        }
        acceptingLater.clear();
    }

    /** 0 means not to wait at all. */
    long waitMillis() {
        return waitMillis(nanoTime.getAsLong());
    }

    private long waitMillis(long current) {
        if (!queued.isEmpty() || !gone.isEmpty() || !tasks.isEmpty()) {
            return 0;
        }
        long nanos = Math.min(nextTick, nextSweep) - current;
        return nanos <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
    }

    private void onReady(SelectionKey key) {
        Object attachment = key.attachment();
        if (attachment instanceof SocketConnection connection) {
            connection.ready();
        } else if (attachment instanceof Acceptor acceptor) {
            acceptor.ready();
        }
    }

    /** Connections that used up their share of the turn before; others went first. */
    private void handle(List<SocketConnection> leftOver) {
        for (SocketConnection each : leftOver) {
            each.isQueued = false;
            each.receive();
        }
        leftOver.clear();
    }

    private void runTasks() {
        for (int i = 0; i < TASKS_PER_TURN; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException e) {
                defect("task failed", e);
            }
        }
    }

    private void tick() {
        if (now - nextTick < 0) {
            return;
        }
        long delay = RETRY_TICK_NANOS;
        try {
            delay = handler.tick(now);
        } catch (RuntimeException e) {
            defect("timers failed", e);
        }
        nextTick = now + Math.max(0, delay);
    }

    private void reportGone() {
        for (int i = 0; i < gone.size(); i++) {
            SocketConnection connection = gone.get(i);
            connection.releaseBuffers();
            try {
                handler.closed(connection);
            } catch (RuntimeException e) {
                defect("handling the end of a connection failed", e);
            }
        }
        gone.clear();
    }

    private void endBatch() {
        long ticket;
        try {
            ticket = handler.batchEnd();
        } catch (RuntimeException e) {
            defect("end of batch failed; its answers are withdrawn", e);
            ticket = RequestHandler.DISCARD;
        }
        if (dirty.isEmpty()) {
            return;
        }
        List<SocketConnection> current = dirty;
        dirty = dirtyBefore;
        dirtyBefore = current;
        for (SocketConnection each : current) {
            each.isDirty = false;
            each.endBatch(ticket);
            if (each.hasHeld() && !each.isHeld) {
                each.isHeld = true;
                held.add(each);
            }
        }
        current.clear();
    }

    private void sendReleased() {
        if (held.isEmpty()) {
            return;
        }
        if (discardHeld.getAndSet(false)) {
            for (SocketConnection each : held) {
                if (each.hasHeld()) {
                    each.close("its answers were withdrawn");
                }
            }
        }
        long ticket = released.get();
        for (SocketConnection each : held) {
            each.release(ticket);
            each.isHeld = each.hasHeld();
        }
        held.removeIf(each -> !each.isHeld);
    }

    RequestHandler handler() {
        return handler;
    }

    /** The time of this turn. */
    long now() {
        return now;
    }

    BufferPool buffers() {
        return buffers;
    }

    int connectionCount() {
        return connections.size();
    }

    /**
     * Makes room for a new connection at the expense of the one that has been a stranger for the
     * longest time, so that those who say nothing cannot keep others out for long; false if there
     * is no stranger.
     */
    boolean dropOldestStranger() {
        if (strangers.isEmpty()) {
            return false;
        }
        SocketConnection oldest = strangers.iterator().next();
        misbehaved(oldest, "no hello yet, and others want to come in");
        oldest.close("it made room");
        return true;
    }

    /** The hello of a connection is complete. */
    void greeted(SocketConnection connection) {
        strangers.remove(connection);
    }

    void opened(SocketConnection connection) {
        traffic.opened();
        connections.add(connection);
        strangers.add(connection);
        LOG.debug("connection from {}", connection.remoteAddress());
    }

    void closed(SocketConnection connection, int accounted, String reason) {
        traffic.closed();
        connections.remove(connection);
        strangers.remove(connection);
        buffered -= accounted;
        gone.add(connection);
        LOG.debug("connection from {} closed: {}", connection.remoteAddress(), reason);
    }

    /** The connection has replies to be sent at the end of the turn. */
    void dirty(SocketConnection connection) {
        if (!connection.isDirty) {
            connection.isDirty = true;
            dirty.add(connection);
        }
    }

    /** A request of the connection was handled. */
    void handled(SocketConnection connection) {
        hot.handled(connection);
    }

    /** The connection has frames that the selector will not report. */
    void again(SocketConnection connection) {
        if (!connection.isQueued) {
            connection.isQueued = true;
            queued.add(connection);
        }
    }

    /** The acceptor failed and is to try again after a while. */
    void acceptLater(Acceptor acceptor) {
        acceptingLater.add(acceptor);
    }

    /** Adds to the memory of all buffers; true if that is over the limit. */
    boolean account(int change) {
        buffered += change;
        return buffered > options.maxBuffered();
    }

    void misbehaved(SocketConnection connection, @Nullable String what) {
        misbehaviour.warn(now, "connection from " + connection.remoteAddress() + ": " + what);
    }

    void warn(String message) {
        misbehaviour.warn(now, message);
    }

    void defect(String what, RuntimeException e) {
        defects.error(now, "defect: " + what, e);
    }
}
