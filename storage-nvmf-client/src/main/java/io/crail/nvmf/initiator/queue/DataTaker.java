// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;

/**
 * Copies the data of a read out of shared memory, in place of the queue: who looks at the bytes
 * anyway does it while they come by.
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
}
