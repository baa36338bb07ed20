// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/** The controller was closed. */
public final class NvmeClosedException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeClosedException(String message) {
        super(message);
    }

    public NvmeClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
