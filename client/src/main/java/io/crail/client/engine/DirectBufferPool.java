// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import io.crail.client.spi.BufferPool;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's direct memory: slabs of 1 MiB, allocated as they are needed and kept until the
 * client closes. Accounts in real bytes: a lease counts with the size of its buddy.
 *
 * <p>Nobody blocks here. Who finds the pool exhausted leaves a callback and waits in his own way,
 * within his deadline. A JVM whose limit on direct memory is below the configured size makes the
 * pool smaller, with a warning, instead of ending in an OutOfMemoryError.
 */
public final class DirectBufferPool implements BufferPool {
    private static final Logger LOG = LoggerFactory.getLogger(DirectBufferPool.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Slab> slabs = new ArrayList<>();
    private final List<SlabListener> listeners = new ArrayList<>();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int maxSlabs;
    private long inUse;
    private long hits;
    private long misses;

    /** A pool that holds at most {@code bytes}, rounded down to whole slabs. */
    public DirectBufferPool(long bytes) {
        this.maxSlabs = (int) Math.max(1, bytes / MAX_BUFFER);
    }

    /** Counters, read together. */
    public record Usage(long bytes, long bytesInUse, long hits, long misses, long limit) {}

    /** What the pool holds and has lent out. */
    public Usage usage() {
        lock.lock();
        try {
            return new Usage(
                    (long) slabs.size() * MAX_BUFFER,
                    inUse,
                    hits,
                    misses,
                    (long) maxSlabs * MAX_BUFFER);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Lease tryAcquire(int bytes) {
        if (bytes < 1 || bytes > MAX_BUFFER) {
            throw new IllegalArgumentException("buffer of " + bytes + " bytes");
        }
        int order = Slab.order(bytes);
        lock.lock();
        try {
            for (Slab slab : slabs) {
                int index = slab.take(order);
                if (index >= 0) {
                    hits++;
                    return lend(slab, order, index);
                }
            }
            Slab slab = grow();
            if (slab == null) {
                return null;
            }
            misses++;
            return lend(slab, order, slab.take(order));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void whenAvailable(Runnable callback) {
        lock.lock();
        try {
            if (inUse >= (long) maxSlabs * MAX_BUFFER / 2) {
                waiting.add(callback);
                return;
            }
        } finally {
            lock.unlock();
        }
        callback.run();
    }

    @Override
    public void addSlabListener(SlabListener listener) {
        lock.lock();
        try {
            listeners.add(listener);
            for (Slab slab : slabs) {
                listener.slab(slab.number(), slab.memory());
            }
        } finally {
            lock.unlock();
        }
    }

    private Lease lend(Slab slab, int order, int index) {
        inUse += Slab.size(order);
        return new BuddyLease(slab, order, index);
    }

    private @Nullable Slab grow() {
        if (slabs.size() >= maxSlabs) {
            return null;
        }
        ByteBuffer memory;
        try {
            memory = ByteBuffer.allocateDirect(MAX_BUFFER);
        } catch (OutOfMemoryError e) {
            maxSlabs = slabs.size();
            LOG.warn(
                    "The JVM gives no more direct memory: the buffer pool stays at {} MiB. Raise"
                            + " -XX:MaxDirectMemorySize or lower the client's bufferPoolBytes.",
                    maxSlabs);
            return null;
        }
        Slab slab = new Slab(slabs.size(), memory);
        slabs.add(slab);
        for (SlabListener listener : listeners) {
            listener.slab(slab.number(), memory);
        }
        return slab;
    }

    private void giveBack(Slab slab, int order, int index) {
        List<Runnable> callbacks;
        lock.lock();
        try {
            slab.give(order, index);
            inUse -= Slab.size(order);
            callbacks = waiting.isEmpty() ? List.of() : new ArrayList<>(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        callbacks.forEach(Runnable::run);
    }

    private final class BuddyLease implements Lease {
        private final Slab slab;
        private final int order;
        private final int index;
        private final ByteBuffer buffer;
        private final AtomicBoolean returned = new AtomicBoolean();

        BuddyLease(Slab slab, int order, int index) {
            this.slab = slab;
            this.order = order;
            this.index = index;
            this.buffer = slab.slice(order, index);
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public int slab() {
            return slab.number();
        }

        @Override
        public int offset() {
            return index * Slab.size(order);
        }

        @Override
        public void close() {
            if (returned.compareAndSet(false, true)) {
                giveBack(slab, order, index);
            }
        }
    }
}
