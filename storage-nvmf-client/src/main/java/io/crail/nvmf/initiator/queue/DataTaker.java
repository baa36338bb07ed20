// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;

/**
 * Takes the data of a read out of shared memory, in place of the queue: who looks at the bytes
 * anyway does it while they come by, or there.
 */
@FunctionalInterface
public interface DataTaker {
    /**
     * Copies all data of the command to its buffer, unless that is not the command's any more. By
     * the poller, before the command ends.
     *
     * @param memory its position and limit stay
     * @param at where the data begins
     */
    void take(ByteBuffer memory, int at);

    /** Whether the data may as well stay there. It does not if too much has stayed already. */
    default boolean keeps() {
        return false;
    }

    /**
     * Called instead of {@link #take}, only of one that {@link #keeps}: the data stays in the
     * memory. By the poller, before the command ends.
     *
     * @param part belongs to the taker now, which closes it, sooner or later
     */
    default void keep(KeptPart part) {
        part.close();
        throw new UnsupportedOperationException("this taker keeps nothing");
    }
}
