// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.view;

import io.crail.error.BusyException;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The views of one client that are open. A block that a view holds is not given to anybody else,
 * and a copied one takes memory, so their number is limited. Thread-safe.
 */
public final class OpenViews {
    private final int limit;
    private final Semaphore blocks;
    private final boolean poison;
    private final Set<HeldBlocks> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param limit blocks that may be held at a time
     * @param poison make copies of everything, and overwrite them at the end
     */
    public OpenViews(int limit, boolean poison) {
        this.limit = limit;
        this.blocks = new Semaphore(limit);
        this.poison = poison;
    }

    /** Holder of the blocks of a new view. */
    public HeldBlocks begin() {
        HeldBlocks held = new HeldBlocks(this);
        open.add(held);
        return held;
    }

    boolean poisons() {
        return poison;
    }

    /** Makes room for a block; false if there is none. */
    boolean tryReserve() {
        return !closed && blocks.tryAcquire();
    }

    /** Makes room for a block, or says why there is none. */
    void reserve() throws CrailException {
        if (closed) {
            throw new ClosedException("the client is closed");
        }
        if (!tryReserve()) {
            throw new BusyException(
                    "open views hold "
                            + limit
                            + " blocks already: close some, view less at a time, or raise"
                            + " client.views.blocks");
        }
    }

    void free(int count) {
        blocks.release(count);
    }

    void ended(HeldBlocks held) {
        open.remove(held);
    }

    /** Blocks held now. */
    public int held() {
        return limit - blocks.availablePermits();
    }

    /** Closes all views; there will be no new ones. */
    public void close() {
        closed = true;
        open.forEach(HeldBlocks::close);
    }
}
