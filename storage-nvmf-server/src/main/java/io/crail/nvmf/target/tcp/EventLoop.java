// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.ring.Ring;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves connections: reads what is there, gives what may wait to the workers, sends what is
 * answered. All connections of a loop belong to the one thread that drives it.
 *
 * <p><b>Mail.</b> Other threads leave completed slots and tasks in a {@link Mailbox}, and wake the
 * loop if it sleeps ({@link Waiting}).
 *
 * <p><b>Carrying out a command itself.</b> Where commands come one at a time ({@link Alone}) the
 * loop runs those that the ring does not take, which saves two changes of thread. A command may
 * hang in the device, though: the {@link Lease} says who goes on then.
 */
final class EventLoop {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    /** Looking for company takes a system call that the answer waits for. */
    private static final int RUNS_PER_CHECK = 8;

    /**
     * So many answers are sent by one write. With more the host would have nothing to do until the
     * last of a turn is there, and all of its commands would go round together.
     */
    private static final int ANSWERS_PER_WRITE = 8;

    /** Of more than that, which ended together, the first ones: the device has nothing to do. */
    private static final int FIRST_ANSWERS = 2;

    /** What a key is attached to. */
    interface Selected {
        /** By the loop, when the channel is ready. */
        void onSelected();
    }

    private final String name;
    private final Selector selector;
    private final @Nullable RingReads reads;
    private final Dispatcher dispatcher;
    private final Lease lease = new Lease();
    private final Mailbox mail = new Mailbox();
    private final LastHeard lastHeard = new LastHeard();
    private final Waiting waiting;
    private boolean stopping;
    private volatile @Nullable Thread driver;

    private final Set<Connection> connections = new LinkedHashSet<>();

    /** Of these and of those that it was promised. */
    private final AtomicInteger connectionCount = new AtomicInteger();

    private volatile boolean failed;
    private final List<Connection> dirty = new ArrayList<>();
    private int firstServed;
    private int runs;

    /**
     * A loop that does not run yet.
     *
     * @param files that it reads by a ring; null for none
     * @param inline whether it may carry out a command itself
     */
    EventLoop(String name, Workers workers, @Nullable RingFiles files, boolean inline)
            throws IOException {
        this.name = name;
        this.reads = files == null ? null : new RingReads(files, mail::put, workers::submit);
        this.dispatcher = new Dispatcher(workers, reads, inline);
        this.selector = Selector.open();
        this.waiting = new Waiting(selector, lastHeard, mail, reads);
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

    LastHeard lastHeard() {
        return lastHeard;
    }

    /** Connections now, with those that were accepted for it. Any thread. */
    int connectionCount() {
        return connectionCount.get();
    }

    /** A connection will be added. Any thread. */
    void expect() {
        connectionCount.incrementAndGet();
    }

    /** One that was expected will not be added. Any thread. */
    void unexpect() {
        connectionCount.decrementAndGet();
    }

    /** Whether it did not fail. Any thread. */
    boolean isServing() {
        return !failed;
    }

    /** Has the loop run something. Any thread. */
    void post(Runnable task) {
        mail.put(task);
        waiting.wake();
    }

    /** Hands a slot back. By the worker that ran it. */
    void completed(Slot slot) {
        mail.put(slot);
        waiting.wake();
    }

    /** Adds one that was expected. By the loop. */
    void add(Connection connection) {
        connections.add(connection);
    }

    /** By the loop. */
    void remove(Connection connection) {
        if (connections.remove(connection)) {
            connectionCount.decrementAndGet();
        }
    }

    /** Copied, since what is done with them may close them. By the loop. */
    List<Connection> connections() {
        return List.copyOf(connections);
    }

    /** A slot is to be carried out. By the loop. */
    void submit(Slot slot) {
        dispatcher.add(slot);
    }

    /** A connection has something to send at the end of this turn. By the loop. */
    void markDirty(Connection connection) {
        if (!connection.isDirty()) {
            connection.setDirty(true);
            dirty.add(connection);
        }
    }

    private void drive() {
        Ring mine = reads == null ? null : reads.open();
        try {
            while (!stopping || dispatcher.away() > 0 || !connections.isEmpty()) {
                turn();
                if (!dispatch()) {
                    return; // the loop has another driver
                }
                flush();
            }
            selector.close();
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("Event loop {} failed; its connections are lost", name, e);
            failed = true;
            for (Connection each : connections()) {
                each.closeNow("its event loop failed");
            }
        } finally {
            if (mine != null) {
                mine.close();
            }
        }
    }

    private void turn() throws IOException {
        waiting.await(readMail());
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            SelectionKey key = keys.next();
            keys.remove();
            ((Selected) key.attachment()).onSelected();
        }
        readMail();
    }

    private boolean readMail() {
        int answers = 0;
        Slot list = mail.takeCompleted();
        int first = hasMore(list, ANSWERS_PER_WRITE) ? FIRST_ANSWERS : ANSWERS_PER_WRITE;
        while (list != null) {
            Slot slot = list;
            list = slot.next;
            slot.next = null;
            dispatcher.back();
            guarded(() -> slot.connection.onExecuted(slot));
            answers++;
            if (answers == first || answers % ANSWERS_PER_WRITE == 0) {
                flush();
            }
        }
        boolean any = answers > 0;
        for (Runnable task = mail.takeTask(); task != null; task = mail.takeTask()) {
            guarded(task);
            any = true;
        }
        return any;
    }

    private static boolean hasMore(@Nullable Slot list, int count) {
        Slot rest = list;
        for (int index = 0; index < count && rest != null; index++) {
            rest = rest.next;
        }
        return rest != null;
    }

    /** A fault of ours in one connection is not the end of the others. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("A task of {} failed by a fault of the target", name, e);
        }
    }

    /**
     * Has the turn's commands carried out; false if this thread does not drive the loop any more.
     */
    private boolean dispatch() throws IOException {
        Slot slot = dispatcher.end(!lease.isAstray());
        if (slot == null) {
            return true;
        }
        flush();
        long mine = lease.begin();
        slot.execute();
        if (!lease.end(mine)) {
            completed(slot);
            lease.isBack();
            return false;
        }
        if (++runs % RUNS_PER_CHECK == 0 && selector.selectNow() > 0) {
            dispatcher.hadCompany();
        }
        dispatcher.back();
        slot.connection.onExecuted(slot);
        return true;
    }

    /**
     * Gives the loop a new driver if a command keeps its own one. By one other thread.
     *
     * @return whether the loop has carried out a command itself since this was called last
     */
    boolean rescue() {
        if (lease.takeOver()) {
            LOG.info("A command takes long; {} goes on with another thread", name);
            start();
        }
        return lease.hasRun();
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
