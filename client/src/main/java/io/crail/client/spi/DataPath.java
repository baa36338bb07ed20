// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import org.jspecify.annotations.Nullable;

/**
 * The way to one storage server for one session. Thread-safe; no method blocks. Connects by itself,
 * again if need be; a server that cannot be reached shows as failed transfers.
 */
public interface DataPath {
    /** Begins a transfer; tries to move bytes at once in the calling thread. */
    void submit(BlockTransfer transfer);

    /**
     * Whether {@link #writeNow} and {@link #lendNow} can be expected to reach this block: it is
     * memory of this process. Hears on the way, every so often, what has become of its connection;
     * so it may run handlers and timers, unlike these two.
     */
    default boolean isAtHand(BlockReference block) {
        return false;
    }

    /**
     * Does what a {@link BlockTransfer.Write} would, in the calling thread, without waiting and
     * without calling back.
     *
     * @return false if it was not done, for whatever reason: a transfer finds out why. The bytes
     *     have then been asked for neither a copy nor checksums
     */
    default boolean writeNow(BlockReference block, int offset, BytesToWrite bytes) {
        return false;
    }

    /**
     * Does what a {@link BlockTransfer.Borrow} would, in the calling thread, without waiting and
     * without calling back.
     *
     * @return null if it was not done, for whatever reason: a transfer finds out why
     */
    default @Nullable BlockLoan lendNow(
            BlockReference block, int offset, int length, boolean checksums) {
        return null;
    }

    /** Whether it can lend memory, that is, knows {@link BlockTransfer.Borrow}. */
    default boolean lends() {
        return false;
    }

    /**
     * Whether reads of blocks of this host may be {@link BlockTransfer.Read#lent}, as far as is
     * known: then fetching far ahead of use gains little, and more of it would be copied.
     */
    default boolean lendsReads() {
        return false;
    }

    /** Asks the server something; only of a path whose provider carries questions. */
    default void ask(ServerQuestion question) {
        throw new UnsupportedOperationException("this path moves bytes of blocks only");
    }

    /**
     * Whether a connection of it broke: the server may have been restarted, and ways to it that
     * could not be used before are worth another try.
     */
    default boolean wasInterrupted() {
        return false;
    }

    /**
     * Gives up a transfer: when this returns, its buffer is not touched any more and its callbacks
     * will not be called. A path that cannot take a posted transfer back tears down what carries it
     * (a queue pair) and drives its other transfers again.
     */
    void cancel(BlockTransfer transfer);

    /** Ends the session on that server: connections close, transfers fail with the cause. */
    void close(CrailException cause);
}
