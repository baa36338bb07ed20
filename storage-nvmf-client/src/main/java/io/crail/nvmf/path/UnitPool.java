// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BufferPool;
import io.crail.error.BusyException;
import io.crail.nvmf.layout.FlashLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Units of memory for edges and records, of one connection. They are set apart when it is made: who
 * needs one holds nothing else that somebody waits for, and gives it back when a command has ended,
 * so each wait ends. Those who wait are no more than there are transfers. Thread-safe.
 */
final class UnitPool implements AutoCloseable {
    private static final int UNITS = 128;

    private final BufferPool.Lease lease;
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>(UNITS);
    private final ArrayDeque<Consumer<ByteBuffer>> waiting = new ArrayDeque<>();
    private boolean closed;
    private boolean returned;

    UnitPool(BufferPool.Lease lease) {
        this.lease = lease;
        ByteBuffer memory = lease.buffer();
        for (int i = 0; i < UNITS; i++) {
            free.add(
                    memory.slice(i * FlashLayout.UNIT, FlashLayout.UNIT)
                            .order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    /** Takes the memory from the client's pool, from the part that is kept for connections. */
    static UnitPool of(BufferPool buffers) throws BusyException {
        BufferPool.Lease lease = buffers.tryAcquireReserved(UNITS * FlashLayout.UNIT);
        if (lease == null) {
            throw new BusyException(
                    "no memory for a connection to flash; raise client.buffer-pool");
        }
        return new UnitPool(lease);
    }

    /**
     * Passes a unit on, at once or when there is one again, in whatever thread gives it back.
     *
     * @return false if the memory was given back: there will be none
     */
    boolean take(Consumer<ByteBuffer> user) {
        ByteBuffer unit;
        synchronized (this) {
            if (returned) {
                return false;
            }
            unit = free.pollFirst();
            if (unit == null) {
                waiting.add(user);
                return true;
            }
        }
        user.accept(unit.clear());
        return true;
    }

    void giveBack(ByteBuffer unit) {
        Consumer<ByteBuffer> next;
        synchronized (this) {
            next = waiting.pollFirst();
            if (next == null) {
                free.addFirst(unit);
                closeIfIdle();
                return;
            }
        }
        next.accept(unit.clear());
    }

    /** Gives the memory back, now or when the last unit has come back. */
    @Override
    public synchronized void close() {
        closed = true;
        closeIfIdle();
    }

    private void closeIfIdle() {
        assert Thread.holdsLock(this);
        if (closed && !returned && free.size() == UNITS) {
            returned = true;
            free.clear();
            lease.close();
        }
    }

    /** For tests. */
    synchronized int unitsOut() {
        return returned ? 0 : UNITS - free.size();
    }
}
