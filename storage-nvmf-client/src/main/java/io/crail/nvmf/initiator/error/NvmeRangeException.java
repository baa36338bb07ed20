// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/** The range does not lie within the namespace; nothing was sent. */
public final class NvmeRangeException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeRangeException(String message) {
        super(message);
    }

    public NvmeRangeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
