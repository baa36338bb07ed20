// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import org.jspecify.annotations.Nullable;

/**
 * What is different about a command if its data lies in shared memory.
 *
 * @param rider moved, too; null: nothing
 * @param taker takes the data of a read out; null: the queue does
 */
public record SharedExtras(@Nullable Rider rider, @Nullable DataTaker taker) {
    /** Nothing is. */
    public static final SharedExtras NONE = new SharedExtras(null, null);
}
