// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;

/**
 * A unit elsewhere in the namespace that is moved by the same command as its data ({@link
 * io.crail.nvmf.wire.command.RiderField}). It goes along where the data of the command lies in
 * shared memory, and the controller knows it; else it stays behind, nothing here is called, and who
 * wants it moved needs a command of its own.
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

    /** Takes the bytes that were read. By the poller, before the command ends. */
    void take(ByteBuffer memory, int at);
}
