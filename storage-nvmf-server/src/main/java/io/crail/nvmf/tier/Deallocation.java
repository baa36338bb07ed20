// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.tier.Quarantine.Held;
import io.crail.nvmf.wire.command.DatasetCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out of quarantine: tells the target that blocks hold nothing any more, so that it has
 * less to keep and to move, and lets them go.
 *
 * <p><b>Order.</b> A deallocation that is executed late destroys what the next owner has written.
 * So it is sent when nobody can write the block any more, and the block is reported as freed only
 * when its command has ended, by success or by an error that the target answered. If the outcome is
 * unknown, the connection over which it went has been ended, and the block begins a quarantine
 * anew, by time, as after a client's write that may be under way. It is not sent a second time. The
 * counter that has to be written before the block is reported goes over another connection then,
 * and there is none before the target has given up, or ended, what the one before has left behind
 * ({@link RemoteMedium}). A server that is killed meanwhile leaves the block marked as held.
 *
 * <p>A server that was stopped may have lost the namespace to its next life. So each command goes
 * over a connection on which it was seen, just before, that it has not, and never over the next.
 *
 * <p><b>Bounds.</b> One command at a time, with all that waits when it begins, within limits. A
 * block that has waited for others longer than {@value #PATIENCE_MILLIS} ms goes without.
 *
 * <p><b>Threads.</b> One thread sends and waits. {@link #leave} may be called by any.
 */
final class Deallocation implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deallocation.class);
    private static final int PATIENCE_MILLIS = 1_000;
    private static final long CLOSE_MILLIS = 15_000;

    /** Of one command: what a target does in a moment, and not in a minute. */
    private static final long MAX_BYTES = 1L << 30;

    /** Commands in succession without an outcome, after which no more are tried. */
    private static final int MAX_LOSSES = 3;

    /** A block that waits for its command. */
    private record Waiting(Held block, DataRange data, long since, Runnable left) {}

    private final RemoteMedium medium;
    private final OwnerEntry owner;
    private final FlashLayout layout;
    private final FlashWords words;
    private final Quarantine quarantine;
    private final RevokedLengths lengths;
    private final LongSupplier clock;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** In the order of their data, whichever came first. Guarded by the lock, as is the next. */
    private final TreeSet<Waiting> waiting =
            new TreeSet<>(Comparator.comparingLong(each -> each.data.position()));

    private boolean closed;

    private volatile boolean enabled;

    /** By the thread only. */
    private int losses;

    /**
     * @param enabled whether anything is to be deallocated
     */
    Deallocation(
            RemoteMedium medium,
            OwnerEntry owner,
            FlashLayout layout,
            FlashWords words,
            Quarantine quarantine,
            LongSupplier clock,
            boolean enabled) {
        this.medium = medium;
        this.owner = owner;
        this.layout = layout;
        this.words = words;
        this.quarantine = quarantine;
        this.lengths = new RevokedLengths(layout);
        this.clock = clock;
        this.enabled = enabled;
        this.thread = new Thread(this::run, "crail-nvmf-deallocate");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Of the blocks that are being revoked. */
    RevokedLengths lengths() {
        return lengths;
    }

    /**
     * Nobody can write these any more.
     *
     * @param left run for each when it is not pinned any more
     */
    void leave(List<Held> blocks, Runnable left) {
        boolean usable = enabled && medium.canDeallocate();
        for (Held each : blocks) {
            long raised = words.generation(each.record());
            int length = lengths.of(each.record(), raised);
            if (usable && length > 0 && !each.isTried()) {
                add(each, length, left);
            } else {
                lengths.forget(each.record(), raised);
                quarantine.leave(List.of(each), left);
            }
        }
    }

    private void add(Held block, int length, Runnable left) {
        DataRange data = new DataRange(layout.dataOffset(block.record()), length);
        lock.lock();
        try {
            if (!closed) {
                block.handOver();
                waiting.add(new Waiting(block, data, clock.getAsLong(), left));
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        List<Waiting> late = new ArrayList<>();
        List<Waiting> batch = new ArrayList<>();
        while (await(late, batch)) {
            try {
                go(late);
                if (!batch.isEmpty()) {
                    deallocate(batch);
                }
            } catch (RuntimeException e) {
                // Which of them has left already is not known, so nobody touches them again.
                LOG.error("A fault of this server: blocks stay unfreed until a restart", e);
            }
            late.clear();
            batch.clear();
        }
    }

    /** Waits for blocks: those that have waited for too long, and for a command; false: closed. */
    private boolean await(List<Waiting> late, List<Waiting> batch) {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            long now = clock.getAsLong();
            long patience = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
            waiting.removeIf(each -> now - each.since >= patience && late.add(each));
            take(batch);
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** What one command carries, neighbours as one range. With the lock. */
    private void take(List<Waiting> batch) {
        int ranges = 0;
        long bytes = 0;
        long end = -1;
        while (!waiting.isEmpty()) {
            DataRange data = waiting.first().data;
            ranges += data.position() == end ? 0 : 1;
            bytes += data.bytes();
            end = data.end();
            if (ranges > DatasetCommand.MAX_RANGES || bytes > MAX_BYTES) {
                return;
            }
            batch.add(waiting.pollFirst());
        }
    }

    private void deallocate(List<Waiting> batch) {
        if (!enabled) {
            go(batch);
            return;
        }
        int connection;
        try {
            connection = medium.connection();
            owner.check();
        } catch (IOException e) {
            LOG.debug("Nothing is deallocated now: {}", e.getMessage());
            back(batch);
            return;
        }
        try {
            List<DataRange> data = batch.stream().map(Waiting::data).toList();
            if (!medium.deallocate(connection, DataRange.merged(data))) {
                back(batch);
                return;
            }
            losses = 0;
        } catch (NvmeStatusException e) {
            if (e.isReservationConflict()) {
                back(batch); // Somebody has the namespace: the next round finds out who.
                return;
            }
            enabled = false;
            LOG.warn(
                    "{} does not deallocate: {}. Freed blocks are not told of any more",
                    medium.name(),
                    e.getMessage());
        } catch (IOException e) {
            LOG.warn(
                    "Whether {} blocks of {} were deallocated is not known; they stay in"
                            + " quarantine: {}",
                    batch.size(),
                    medium.name(),
                    e.getMessage());
            stay(batch);
            lost();
            return;
        }
        go(batch);
    }

    private void lost() {
        losses++;
        if (losses == MAX_LOSSES) {
            enabled = false;
            LOG.warn(
                    "{} gave no answer to {} deallocations in succession: freed blocks are not told"
                            + " of any more",
                    medium.name(),
                    losses);
        }
    }

    /** Nothing of these is under way. */
    private void go(List<Waiting> blocks) {
        for (Waiting each : blocks) {
            lengths.forget(each.block.record(), words.generation(each.block.record()));
            quarantine.leave(List.of(each.block), each.left);
        }
    }

    /** Nothing was sent: they are as they were, and the next round finds them. */
    private static void back(List<Waiting> blocks) {
        blocks.forEach(each -> each.block.handBack());
    }

    /** What was sent may still be executed, from now on for as long as a client's write may. */
    private void stay(List<Waiting> blocks) {
        long now = clock.getAsLong();
        for (Waiting each : blocks) {
            each.block.beginAnew(now);
            each.block.tried();
            each.block.handBack();
        }
    }

    /** Ends it; blocks that wait stay held. Waits for a command under way. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!isOver()) {
            LOG.warn("Deallocating blocks of {} hangs", medium.name());
        }
    }

    /** Whether nothing is under way, nor will be; closed. */
    boolean isOver() {
        return !thread.isAlive();
    }
}
