// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import org.jspecify.annotations.Nullable;

/**
 * What is different about a command if its data lies in shared memory.
 *
 * @param rider moved, too; null: nothing
 * @param giver puts the data of a write there; null: the queue does
 * @param taker takes the data of a read out; null: the queue does
 */
public record SharedExtras(
        @Nullable Rider rider, @Nullable DataGiver giver, @Nullable DataTaker taker) {
    /** Nothing is. */
    public static final SharedExtras NONE = new SharedExtras(null, null, null);
}
