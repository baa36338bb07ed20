// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.StoredCounter;
import io.crail.nvmf.target.backing.Medium;
import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counters of all slots, in memory and on the medium.
 *
 * <p><b>Order.</b> A counter is raised in memory at once, which is what commands are compared with;
 * {@link #keep} has it written and flushed, together with all that were raised meanwhile, and says
 * when that is done. Only then is the block reported as freed, and only after that granted again.
 * So whatever happens to the host, the medium never has bytes of a generation whose counter is not
 * on it: old references cannot become good again.
 *
 * <p><b>Threads.</b> Counters are read and raised by any thread. One thread writes; nobody
 * interrupts it, since that would close the file for all. What waits is bounded by the number of
 * slots, as a slot has one revocation at a time.
 */
final class CounterStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CounterStore.class);
    private static final int STEP = 1 << 20;
    private static final int COUNTERS_PER_UNIT = FlashLayout.UNIT / 4;
    private static final long CLOSE_MILLIS = 10_000;
    private static final long RETRY_MILLIS = 1_000;

    /** A raised counter, and what waits for it. */
    private record Raised(int slot, Runnable then) {}

    private final Medium medium;
    private final FlashLayout layout;

    /** Whether blocks are in quarantine between raising their counter and reporting them. */
    private final boolean holds;

    /** Counters, less 1, as they are on the medium; {@link StoredCounter}s if it holds. */
    private final AtomicIntegerArray stored;

    private final Thread writer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock. */
    private List<Raised> waiting = new ArrayList<>();

    private boolean closed;

    /** Whether it was said that writing fails; by the writer only. */
    private boolean complained;

    private CounterStore(
            Medium medium, FlashLayout layout, boolean holds, AtomicIntegerArray stored) {
        this.holds = holds;
        this.medium = medium;
        this.layout = layout;
        this.stored = stored;
        this.writer = new Thread(this::write, "crail-nvmf-counters");
        writer.setDaemon(true);
        writer.start();
    }

    /** Puts first counters everywhere. */
    static void format(Medium medium, FlashLayout layout) throws IOException {
        ByteBuffer zeros = DataPool.aligned(STEP);
        for (int done = 0; done < layout.counterBytes(); done += STEP) {
            int length = Math.min(STEP, layout.counterBytes() - done);
            medium.write(FlashLayout.COUNTERS_OFFSET + done, zeros.clear().limit(length));
        }
        medium.flush();
    }

    /** Reads the counters that are there. */
    static CounterStore load(Medium medium, FlashLayout layout) throws IOException {
        return load(medium, layout, false);
    }

    /**
     * As the other.
     *
     * @param holds whether a raised counter is marked until {@link #release}
     */
    static CounterStore load(Medium medium, FlashLayout layout, boolean holds) throws IOException {
        AtomicIntegerArray stored = new AtomicIntegerArray(layout.slots());
        ByteBuffer step = DataPool.aligned(STEP).order(ByteOrder.LITTLE_ENDIAN);
        for (int done = 0; done < layout.counterBytes(); done += STEP) {
            int length = Math.min(STEP, layout.counterBytes() - done);
            medium.read(FlashLayout.COUNTERS_OFFSET + done, step.clear().limit(length));
            int first = done / 4;
            int count = Math.min(length / 4, layout.slots() - first);
            for (int i = 0; i < count; i++) {
                stored.set(first + i, step.getInt(4 * i));
            }
        }
        return new CounterStore(medium, layout, holds, stored);
    }

    /** The counter of a slot, with volatile semantics. */
    int counter(int slot) {
        int value = stored.get(slot);
        return holds ? StoredCounter.counter(value) : value + 1;
    }

    /** Sets the counter of a slot in memory, with volatile semantics. */
    void setCounter(int slot, int counter) {
        stored.set(slot, holds ? StoredCounter.of(counter, true) : counter - 1);
    }

    /** Whether the counter of a slot was raised and not released since. */
    boolean isHeld(int slot) {
        return holds && StoredCounter.isHeld(stored.get(slot));
    }

    /** Takes the mark of a raised counter back, in memory; {@link #keep} writes that, too. */
    void release(int slot) {
        stored.set(slot, StoredCounter.of(counter(slot), false));
    }

    /**
     * Writes the counter of a slot, as it is now or later.
     *
     * @param then run when it is durable, in the writing thread; never, if the medium does not take
     *     it or the store is closed before
     */
    void keep(int slot, Runnable then) {
        lock.lock();
        try {
            if (!closed) {
                waiting.add(new Raised(slot, then));
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        ByteBuffer unit = DataPool.aligned(FlashLayout.UNIT).order(ByteOrder.LITTLE_ENDIAN);
        for (List<Raised> batch = next(); !batch.isEmpty(); batch = next()) {
            if (write(batch, unit)) {
                batch.forEach(CounterStore::tell);
            } else {
                again(batch);
            }
        }
    }

    private static void tell(Raised raised) {
        try {
            raised.then.run();
        } catch (RuntimeException e) {
            LOG.error("The block at slot {} stays unfreed until a restart", raised.slot, e);
        }
    }

    /** Waits for raised counters; none: the store is closed. */
    private List<Raised> next() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            List<Raised> batch = closed ? List.of() : waiting;
            waiting = new ArrayList<>();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private boolean write(List<Raised> batch, ByteBuffer unit) {
        TreeSet<Integer> units = new TreeSet<>();
        batch.forEach(raised -> units.add(raised.slot / COUNTERS_PER_UNIT));
        try {
            for (int each : units) {
                int first = each * COUNTERS_PER_UNIT;
                for (int i = 0; i < COUNTERS_PER_UNIT; i++) {
                    int slot = first + i;
                    unit.putInt(4 * i, slot < layout.slots() ? stored.get(slot) : 0);
                }
                medium.write(FlashLayout.counterOffset(first), unit.clear());
            }
            medium.flush();
            if (complained) {
                complained = false;
                LOG.info("Counters are written to {} again", medium.name());
            }
            return true;
        } catch (IOException e) {
            if (!complained) {
                complained = true;
                LOG.error(
                        "{} freed blocks wait: their counters cannot be written to {}. Look after"
                                + " the device; it is tried again",
                        batch.size(),
                        medium.name(),
                        e);
            }
            return false;
        }
    }

    /** Puts a batch back behind a pause. */
    private void again(List<Raised> batch) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            waiting.addAll(batch);
        } catch (InterruptedException e) {
            LOG.warn("Nobody interrupts this thread; going on", e);
            waiting.addAll(batch);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the writing; what waits is not told any more. Waits for a write under way. */
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
            writer.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (writer.isAlive()) {
            LOG.warn("A write of counters to {} hangs", medium.name());
        }
    }
}
