// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/**
 * More commands wait for a free place on the queue than may; try again when some have completed.
 */
public final class NvmeQueueFullException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeQueueFullException(String message) {
        super(message);
    }

    public NvmeQueueFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
