// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.memory.DataBuffer;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.target.memory.DataShare;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data buffers of one connection: from the pool that all share, and one of its own.
 *
 * <p><b>Why one of its own.</b> While the pool is empty a command that asks for data waits, and the
 * connection reads on, because the data that frees buffers may be behind it. Data in a capsule
 * cannot wait: it is in the way of everything behind it. If such a command had to wait for the
 * shared pool, and all of that was granted to writes whose data is behind such commands, nothing
 * would ever move. Its own buffer is given back by the medium, whatever peers do, so it always
 * comes back.
 *
 * <p>What is taken of the pool counts for the host of the connection, so that none holds all.
 *
 * <p>For the event loop of the connection.
 */
final class Memory {
    private final DataPool pool;
    private @Nullable DataBuffer own;
    private boolean lent;
    private DataShare share = new DataShare();

    Memory(DataPool pool, DataBuffer own) {
        this.pool = pool;
        this.own = own;
    }

    /** The connection is this host's. */
    void belongsTo(DataShare host) {
        share = host;
    }

    /** A buffer of the pool, or null. */
    @Nullable DataBuffer take(int bytes) {
        return pool.take(bytes, share);
    }

    /** A buffer for data in a capsule, or null. */
    @Nullable DataBuffer takeForCapsule(int bytes) {
        DataBuffer shared = pool.take(bytes, share);
        if (shared != null || lent) {
            return shared;
        }
        lent = true;
        DataBuffer mine = Objects.requireNonNull(own, "closed");
        mine.bytes().clear();
        return mine;
    }

    /** Takes any buffer back; true if it was the connection's own. */
    boolean release(DataBuffer buffer) {
        if (buffer != own) {
            buffer.release();
            return false;
        }
        lent = false;
        return true;
    }

    /** All buffers are back and none will be taken any more. */
    void close() {
        DataBuffer mine = own;
        if (mine != null) {
            own = null;
            mine.release();
        }
    }
}
