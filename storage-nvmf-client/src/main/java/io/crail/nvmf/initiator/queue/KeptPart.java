// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Data of a read that stays where the controller has put it, in memory that is shared with it. The
 * part of that memory belongs to whoever has this, until {@link #close}; what becomes of the queue,
 * the connection or the controller does not change it.
 *
 * <p>Thread-safe.
 */
public final class KeptPart implements AutoCloseable {
    /** Whose memory it is. */
    @FunctionalInterface
    public interface Owner {
        /** Nobody looks at a part any more. By any thread, once for each. */
        void giveBack(int at, int units);
    }

    private final Owner owner;
    private final ByteBuffer data;
    private final int at;
    private final int units;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * A part that is not given back with the answer.
     *
     * @param owner told when it is
     * @param data read-only, from position 0 to the limit
     * @param at where in the memory it begins
     * @param units how much of it was lent
     */
    public KeptPart(Owner owner, ByteBuffer data, int at, int units) {
        this.owner = owner;
        this.data = data;
        this.at = at;
        this.units = units;
    }

    /** The data, read-only, from position 0 to the limit; good until {@link #close}. */
    public ByteBuffer data() {
        return data;
    }

    /** Gives the part back: other data may appear in it. By any thread; idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            owner.giveBack(at, units);
        }
    }
}
