// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/**
 * A command was not answered in time. It never left, or was aborted and has ended; a write may have
 * been done in part.
 */
public final class NvmeTimeoutException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeTimeoutException(String message) {
        super(message);
    }

    public NvmeTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
