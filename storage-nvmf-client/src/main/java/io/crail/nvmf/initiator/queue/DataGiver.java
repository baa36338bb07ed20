// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;

/**
 * Copies the data of a write into shared memory, in place of the queue: who looks at the bytes
 * anyway does it while they come by.
 */
@FunctionalInterface
public interface DataGiver {
    /**
     * Copies all data of the command from its buffer, unless that is not the command's any more:
     * then what is written does not matter. At every attempt, before {@link Rider#put}; with the
     * lock of the queue held, by any thread: takes no lock under which a command is posted.
     *
     * @param memory its position and limit stay
     * @param at where the data begins
     */
    void give(ByteBuffer memory, int at);
}
