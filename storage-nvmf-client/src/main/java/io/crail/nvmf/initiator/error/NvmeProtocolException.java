// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/** The target broke the protocol; the connection was ended. */
public final class NvmeProtocolException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeProtocolException(String message) {
        super(message);
    }

    public NvmeProtocolException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
