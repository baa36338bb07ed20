// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;

/**
 * A unit elsewhere in the namespace that is moved by the same command as its data ({@link
 * io.crail.nvmf.wire.command.RiderField}). It goes along where the data of the command lies in
 * shared memory, and the controller knows it; else it stays behind, and who wants it moved needs a
 * command of its own. Which of both is decided anew at every attempt: one that is repeated may go
 * by another queue.
 */
public interface Rider {
    /** The logical block where the unit begins; not the first one of the namespace. */
    long firstBlock();

    /**
     * Puts the bytes that are to be written into the memory, at every attempt. With the lock of the
     * queue held, by any thread: takes no lock under which a command is posted.
     *
     * @param memory in any byte order; its position and limit stay
     * @param at where the unit begins
     */
    void put(ByteBuffer memory, int at);

    /**
     * It does not go along with this attempt, though it may have gone along with the one before.
     * Not called by queues that never take any. The same holds as for {@link #put}.
     */
    default void staysBehind() {}

    /** Takes the bytes that were read. By the poller, before the command ends. */
    void take(ByteBuffer memory, int at);
}
