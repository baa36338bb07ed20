// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.status.CommandKind;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves connections: reads what is there, gives what may wait to the workers, sends what is
 * answered. All connections of a loop belong to the one thread that drives it.
 *
 * <p><b>Mail.</b> Other threads leave completed slots in a list that is pushed by compare-and-set
 * and taken whole, and tasks in a queue. A loop that is about to sleep says so and looks at its
 * mail once more; who leaves mail looks afterwards whether the loop sleeps: volatile on both sides,
 * so one of the two sees the other.
 *
 * <p><b>Carrying out a command itself.</b> Where commands come one at a time ({@link Alone}) the
 * loop runs them, which saves two changes of thread. A command may hang in the device, though. So
 * each run has an odd number in {@link #lease}, and whoever moves that word on owns the loop: the
 * driver when the run is over, or {@link #rescue}, which is called by another thread every few
 * milliseconds and starts a new driver if the run takes long. One compare-and-set decides. A driver
 * that lost leaves the slot in the mail when its run is over, and touches nothing else. All that
 * the old driver did is visible to the new one: it happened before the word was set. Until the old
 * one is back no command is run by the loop, so there are two threads at most.
 */
final class EventLoop {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final long RESCUE_NANOS = 5_000_000;
    private static final long LONGEST_SLEEP_MILLIS = 1_000;
    private static final int LONGEST_INLINE = 128 << 10;

    /** What a key is attached to. */
    interface Selected {
        /** By the loop, when the channel is ready. */
        void onSelected();
    }

    private final String name;
    private final Selector selector;
    private final Workers workers;
    private final boolean inline;

    private final AtomicReference<@Nullable Slot> completed = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean asleep;
    private boolean stopping;
    private volatile @Nullable Thread driver;

    private final AtomicLong lease = new AtomicLong();
    private volatile long inlineSince;
    private volatile boolean strays;

    private final Set<Connection> connections = new LinkedHashSet<>();
    private volatile int connectionCount;
    private final List<Connection> dirty = new ArrayList<>();
    private final List<Slot> batch = new ArrayList<>();
    private final Looking looking = new Looking();
    private final Alone alone = new Alone();
    private int away;
    private int firstServed;

    EventLoop(String name, Workers workers, boolean inline) throws IOException {
        this.name = name;
        this.workers = workers;
        this.inline = inline;
        this.selector = Selector.open();
    }

    void start() {
        Thread thread = new Thread(this::drive, name);
        thread.setDaemon(true);
        driver = thread;
        thread.start();
    }

    Selector selector() {
        return selector;
    }

    /** Connections now. Any thread. */
    int connectionCount() {
        return connectionCount;
    }

    /** Has the loop run something. Any thread. */
    void post(Runnable task) {
        tasks.add(task);
        wake();
    }

    /** Hands a slot back. By the worker that ran it. */
    void completed(Slot slot) {
        Slot first;
        do {
            first = completed.get();
            slot.next = first;
        } while (!completed.compareAndSet(first, slot));
        wake();
    }

    private void wake() {
        if (asleep) {
            selector.wakeup();
        }
    }

    void add(Connection connection) {
        connections.add(connection);
        connectionCount = connections.size();
    }

    void remove(Connection connection) {
        connections.remove(connection);
        connectionCount = connections.size();
    }

    /** Copied, since what is done with them may close them. By the loop. */
    List<Connection> connections() {
        return List.copyOf(connections);
    }

    /** A slot is to be carried out. By the loop. */
    void submit(Slot slot) {
        slot.stage = Slot.Stage.AWAY;
        batch.add(slot);
    }

    /** A connection has something to send at the end of this turn. By the loop. */
    void markDirty(Connection connection) {
        if (!connection.isDirty()) {
            connection.setDirty(true);
            dirty.add(connection);
        }
    }

    private void drive() {
        try {
            while (!stopping || away > 0 || !connections.isEmpty()) {
                turn();
                if (!dispatch()) {
                    return; // the loop has another driver
                }
                flush();
            }
            selector.close();
        } catch (IOException | RuntimeException e) {
            LOG.error("Event loop {} failed; its connections are lost", name, e);
            for (Connection each : connections()) {
                each.closeNow("its event loop failed");
            }
        }
    }

    private void turn() throws IOException {
        boolean busy = readMail();
        if (busy) {
            selector.selectNow();
        } else if (!look()) {
            sleep();
        }
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            SelectionKey key = keys.next();
            keys.remove();
            ((Selected) key.attachment()).onSelected();
        }
        readMail();
    }

    private boolean hasMail() {
        return completed.get() != null || !tasks.isEmpty();
    }

    /** Whether something came before the budget was spent. */
    @SuppressWarnings("ThreadPriorityCheck") // speed depends on the scheduler, correctness does not
    private boolean look() throws IOException {
        if (!selector.selectedKeys().isEmpty()) {
            return true; // seen by the check for company
        }
        long start = System.nanoTime();
        long budget = looking.budget(start);
        if (budget == 0) {
            return false;
        }
        long now = start;
        do {
            Thread.yield();
            if (hasMail() || selector.selectNow() > 0) {
                looking.found();
                return true;
            }
            now = System.nanoTime();
        } while (now - start < budget);
        looking.missed(now);
        return false;
    }

    private void sleep() throws IOException {
        asleep = true;
        try {
            if (hasMail()) {
                selector.selectNow();
            } else {
                selector.select(LONGEST_SLEEP_MILLIS);
            }
        } finally {
            asleep = false;
        }
    }

    private boolean readMail() {
        boolean any = false;
        Slot list = reversed(completed.getAndSet(null));
        while (list != null) {
            Slot slot = list;
            list = slot.next;
            slot.next = null;
            away--;
            guarded(() -> slot.connection.onExecuted(slot));
            any = true;
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            guarded(task);
            any = true;
        }
        return any;
    }

    /** A fault of ours in one connection is not the end of the others. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("A task of {} failed by a fault of the target", name, e);
        }
    }

    /** In the order in which they were completed. */
    private static @Nullable Slot reversed(@Nullable Slot list) {
        Slot result = null;
        Slot rest = list;
        while (rest != null) {
            Slot next = rest.next;
            rest.next = result;
            result = rest;
            rest = next;
        }
        return result;
    }

    /**
     * Has the turn's commands carried out; false if this thread does not drive the loop any more.
     */
    private boolean dispatch() throws IOException {
        if (batch.isEmpty()) {
            return true;
        }
        boolean own =
                alone.decide(batch.size(), away) && inline && !strays && isShort(batch.get(0));
        away += batch.size();
        if (own) {
            Slot slot = batch.get(0);
            batch.clear();
            flush();
            return runInline(slot);
        }
        for (Slot each : batch) {
            workers.submit(each);
        }
        batch.clear();
        return true;
    }

    /** Other commands, and long ones, take too long for the other connections of the loop. */
    private static boolean isShort(Slot slot) {
        CommandKind kind = slot.command.kind();
        return (kind == CommandKind.READ || kind == CommandKind.WRITE)
                && slot.command.length() <= LONGEST_INLINE;
    }

    private boolean runInline(Slot slot) throws IOException {
        inlineSince = System.nanoTime();
        long mine = lease.incrementAndGet();
        slot.execute();
        if (!lease.compareAndSet(mine, mine + 1)) {
            completed(slot);
            strays = false;
            return false;
        }
        if (selector.selectNow() > 0) {
            alone.hadCompany();
        }
        away--;
        slot.connection.onExecuted(slot);
        return true;
    }

    /** Gives the loop a new driver if a command keeps its own one. By one other thread. */
    void rescue() {
        long running = lease.get();
        if (running % 2 == 0 || System.nanoTime() - inlineSince < RESCUE_NANOS) {
            return;
        }
        // Before the word moves: the old driver may come back at once.
        strays = true;
        if (lease.compareAndSet(running, running + 1)) {
            LOG.info("A command takes long; {} goes on with another thread", name);
            start();
        } else {
            strays = false;
        }
    }

    /**
     * There is memory again: the connections take turns, one command each, and not always the same
     * one begins, so that one with many commands cannot keep it from the others. By the loop.
     */
    void shareRoom() {
        List<Connection> all = connections();
        boolean progress = !all.isEmpty();
        while (progress) {
            progress = false;
            firstServed++;
            for (int index = 0; index < all.size(); index++) {
                Connection each = all.get(Math.floorMod(firstServed + index, all.size()));
                progress |= each.onRoom();
            }
        }
    }

    private void flush() {
        for (int index = 0; index < dirty.size(); index++) {
            Connection each = dirty.get(index);
            each.setDirty(false);
            guarded(each::flush);
        }
        dirty.clear();
    }

    /**
     * Ends the loop when its connections are closed and no command is away.
     *
     * @return whether it ended in time
     */
    boolean stop(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        post(
                () -> {
                    stopping = true;
                    for (Connection each : connections()) {
                        each.closeNow("the target stops");
                    }
                });
        Thread last = driver;
        while (last != null && last.isAlive()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            last.join(Math.min(left / 1_000_000 + 1, 100));
            last = driver;
        }
        return true;
    }
}
