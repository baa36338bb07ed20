// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/** A controller could not be reached or set up; nothing was executed. */
public final class NvmeConnectException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeConnectException(String message) {
        super(message);
    }

    public NvmeConnectException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
