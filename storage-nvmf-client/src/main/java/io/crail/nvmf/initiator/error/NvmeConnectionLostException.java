// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/** The connection to the controller ended before there was an answer; nothing was written. */
public final class NvmeConnectionLostException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeConnectionLostException(String message) {
        super(message);
    }

    public NvmeConnectionLostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
