// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import org.jspecify.annotations.Nullable;

/**
 * Told the outcome of a call, once, outside of all locks, in the progress thread or in any thread
 * that waits for a future of the initiator. What it posts leaves in one write after the last
 * completion that is handed out together with this one.
 */
@FunctionalInterface
public interface IoCompletion {
    /**
     * The call ended; its buffer belongs to the caller again.
     *
     * @param failure null if it succeeded
     */
    void ended(@Nullable NvmeException failure);
}
