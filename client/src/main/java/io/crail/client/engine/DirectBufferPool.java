// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import io.crail.client.spi.BufferPool;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** One slab in so many is kept for connections. */
    private static final int RESERVE_SHARE = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Slab> slabs = new ArrayList<>();
    private final List<Slab> reserve = new ArrayList<>();
    private final List<SlabListener> listeners = new ArrayList<>();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final Set<Runnable> pressureListeners = ConcurrentHashMap.newKeySet();
    private final int maxReserve;
    private int maxSlabs;
    private long inUse;
    private long hits;
    private long misses;

    /** A pool that holds at most {@code bytes}, rounded down to whole slabs; two at least. */
    public DirectBufferPool(long bytes) {
        int total = (int) Math.max(2, bytes / MAX_BUFFER);
        this.maxReserve = Math.max(1, total / RESERVE_SHARE);
        this.maxSlabs = total - maxReserve;
    }

    /** Counters, read together; {@code limit} is for data. */
    public record Usage(long bytes, long bytesInUse, long hits, long misses, long limit) {}

    /** What the pool holds and has lent out. */
    public Usage usage() {
        lock.lock();
        try {
            return new Usage(
                    (long) (slabs.size() + reserve.size()) * MAX_BUFFER,
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
        int order = order(bytes);
        lock.lock();
        try {
            return acquire(slabs, maxSlabs, order);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Lease tryAcquireReserved(int bytes) {
        int order = order(bytes);
        lock.lock();
        try {
            Lease lease = acquire(reserve, maxReserve, order);
            return lease != null ? lease : acquire(slabs, maxSlabs, order);
        } finally {
            lock.unlock();
        }
    }

    private static int order(int bytes) {
        if (bytes < 1 || bytes > MAX_BUFFER) {
            throw new IllegalArgumentException("buffer of " + bytes + " bytes");
        }
        return Slab.order(bytes);
    }

    private @Nullable Lease acquire(List<Slab> from, int limit, int order) {
        for (Slab slab : from) {
            int index = slab.take(order);
            if (index >= 0) {
                hits++;
                return lend(slab, order, index);
            }
        }
        Slab slab = from.size() < limit ? grow() : null;
        if (slab == null) {
            return null;
        }
        from.add(slab);
        misses++;
        return lend(slab, order, slab.take(order));
    }

    @Override
    public void whenAvailable(int bytes, Runnable callback) {
        int order = order(bytes);
        boolean room;
        lock.lock();
        try {
            room = slabs.size() < maxSlabs || slabs.stream().anyMatch(slab -> slab.has(order));
            if (!room) {
                waiting.add(callback);
            }
        } finally {
            lock.unlock();
        }
        if (room) {
            callback.run();
        } else {
            pressureListeners.forEach(Runnable::run);
        }
    }

    @Override
    public void addPressureListener(Runnable listener) {
        pressureListeners.add(listener);
    }

    @Override
    public void removePressureListener(Runnable listener) {
        pressureListeners.remove(listener);
    }

    @Override
    public void addSlabListener(SlabListener listener) {
        lock.lock();
        try {
            listeners.add(listener);
            for (Slab slab : reserve) {
                listener.slab(slab.number(), slab.memory());
            }
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
        Slab slab = new Slab(slabs.size() + reserve.size(), memory);
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
